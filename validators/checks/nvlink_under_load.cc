#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/checks/under_load.h"

namespace cutopsy {

namespace {

Answer ask(const Inquiry& inquiry) {
  return judge_counters(
      *inquiry.record, CounterGroup::nvlink, kLinkLoads,
      {"NVLink errors",
       "Reset the GPU with its NVSwitches; check bridge, cable and seating; read the kernel log for Xid 74."});
}

}  // namespace

extern const Check kNvlinkUnderLoad = {
    .name = "nvlink-under-load",
    .question = "Do the GPU's NVLinks have errors while GPUs exchange data?",
    .decision =
        "yes when a recovery is counted during the checks that load the GPU, or 100 replays, CRC or receive errors a "
        "second (DCGM's limit); unknown for fewer, and for a count that goes backwards",
    .check_class = CheckClass::stochastic,
    .need = Need::load_record,
    .level = Level::standard,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .loads = loads<kLinkLoads>,
    .ask = ask,
};

}  // namespace cutopsy
