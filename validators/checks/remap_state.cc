#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

// Above it, DCGM and Azure's node checks have the GPU replaced: https://github.com/NVIDIA/DCGM and
// https://github.com/Azure/azurehpc-health-checks (azure_gpu_ecc.nhc)
constexpr unsigned kMostRemaps = 512;

struct Rows {
  unsigned corrected = 0;
  unsigned uncorrected = 0;
  unsigned pending = 0;
  unsigned failed = 0;
  unsigned unrepairable = 0;         // by the newer flag; 0 when the driver does not have it
  unsigned banks_without_spare = 0;  // 0 when the driver does not tell
};

Answer judge(const Rows& rows) {
  const std::string uncorrected = std::to_string(rows.uncorrected);
  if (rows.failed != 0 || rows.unrepairable != 0) {
    return Answer::yes("a bad memory row could not be replaced", "Take the GPU out of service and have it replaced.");
  }
  if (rows.uncorrected > kMostRemaps) {
    return Answer::yes(uncorrected + " rows were replaced after uncorrected errors", "Have the GPU replaced.");
  }
  if (rows.pending != 0) {
    return Answer::yes("a bad memory row waits to be replaced",
                       "Reset the GPU or reboot: the row is replaced then. Work that avoids it goes on until then.");
  }
  if (rows.banks_without_spare > 0) {
    return Answer::undecided(std::to_string(rows.banks_without_spare) + " memory banks have no spare row left",
                             "Plan the GPU's replacement: the next bad row there cannot be replaced.");
  }
  if (rows.uncorrected > 0) {
    return Answer::undecided(uncorrected +
                             " rows were replaced after uncorrected errors, which is within the limit of " +
                             std::to_string(kMostRemaps));
  }
  return Answer::no("no row was replaced after an uncorrected error, and none waits for it");
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  Rows rows;
  const NvmlStatus status =
      nvml.DeviceGetRemappedRows(device, &rows.corrected, &rows.uncorrected, &rows.pending, &rows.failed);
  if (!status.ok()) return unanswered(status);
  NvmlRowRemapperHistogram banks{};
  if (nvml.DeviceGetRowRemapperHistogram(device, &banks).ok()) rows.banks_without_spare = banks.none;
  nvml.DeviceGetUnrepairableMemoryFlag_v1(device, &rows.unrepairable);
  return judge(rows)
      .with("remapped_corrected", std::to_string(rows.corrected))
      .with("remapped_uncorrected", std::to_string(rows.uncorrected))
      .with("pending", std::to_string(rows.pending))
      .with("failed", std::to_string(rows.failed));
}

}  // namespace

extern const Check kRemapState = {
    .name = "remap-state",
    .question = "Does a bad memory row wait for replacement, or can it no longer be replaced?",
    .decision =
        "yes when a remapping is pending or failed, or more than 512 rows were remapped after uncorrected "
        "errors (DCGM's and Azure's limit); unknown for 1 to 512 and for banks without spare rows; not "
        "applicable before Ampere (see retired-pages) and with MIG instances",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
