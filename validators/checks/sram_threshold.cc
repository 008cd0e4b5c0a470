#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

// A rule of operators, not of NVIDIA: https://github.com/stas00/ml-engineering (accelerators, NVIDIA debug)
constexpr std::uint64_t kWorrying = 4;

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  NvmlSramEccStatus sram{};
  sram.version = nvml_version<NvmlSramEccStatus>(1);
  const NvmlStatus status = nvml.DeviceGetSramEccErrorStatus(device, &sram);
  if (!status.ok()) return unanswered(status);
  const std::uint64_t errors = sram.aggregate_uncorrected_parity + sram.aggregate_uncorrected_secded;
  const std::string seen = std::to_string(errors) + " uncorrected errors of on-chip memory in the GPU's life";
  Answer answer = Answer::no(seen);
  if (sram.threshold_exceeded != 0) {
    answer = Answer::yes(seen + ", above NVIDIA's threshold", "Have the GPU replaced.");
  } else if (errors > kWorrying) {
    answer = Answer::undecided(seen + ", below NVIDIA's threshold, above what operators accept");
  }
  return std::move(answer)
      .with("aggregate_uncorrected", std::to_string(errors))
      .with("threshold_exceeded", std::to_string(sram.threshold_exceeded));
}

}  // namespace

extern const Check kSramThreshold = {
    .name = "sram-threshold",
    .question = "Did the GPU's on-chip memory have more errors than NVIDIA accepts?",
    .decision =
        "yes when the driver's flag 'threshold exceeded' is set; unknown above 4 uncorrected errors without it "
        "(a rule of operators)",
    .check_class = CheckClass::state,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
