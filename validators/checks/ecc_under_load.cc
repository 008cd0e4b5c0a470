#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/checks/under_load.h"

namespace cutopsy {

namespace {

Answer ask(const Inquiry& inquiry) {
  return judge_counters(*inquiry.record, CounterGroup::memory, kMemoryLoads,
                        {"memory errors",
                         "Reset the GPU so that bad rows are replaced; when errors return, have it "
                         "replaced."});
}

}  // namespace

extern const Check kEccUnderLoad = {
    .name = "ecc-under-load",
    .question = "Does the GPU's memory have errors while it is filled and read?",
    .decision =
        "yes when an uncorrected ECC error, or more than 10 corrected ones (DCGM's limit), are counted during the "
        "checks that load the GPU; unknown for fewer, for a count that goes backwards, and with ECC off",
    .check_class = CheckClass::stochastic,
    .need = Need::load_record,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .loads = loads<kMemoryLoads>,
    .ask = ask,
};

}  // namespace cutopsy
