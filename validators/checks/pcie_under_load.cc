#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/checks/under_load.h"

namespace cutopsy {

namespace {

Answer ask(const Inquiry& inquiry) {
  return judge_counters(*inquiry.record, CounterGroup::pcie, kCopyLoads,
                        {"PCIe errors",
                         "Reseat the GPU or riser; read the kernel log for PCIe (AER) errors; check slot, "
                         "cable and BIOS."});
}

}  // namespace

extern const Check kPcieUnderLoad = {
    .name = "pcie-under-load",
    .question = "Does the GPU's PCIe link have errors while data is copied over it?",
    .decision =
        "yes when more than 80 replays or 480 correctable errors (DCGM's limits), or any non-fatal or fatal error, are "
        "counted during the checks that load the GPU; unknown for fewer, and for a count that goes backwards",
    .check_class = CheckClass::stochastic,
    .need = Need::load_record,
    .level = Level::standard,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .loads = loads<kCopyLoads>,
    .ask = ask,
};

}  // namespace cutopsy
