#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 1> kBlockedBy = {"nvml-init"};

Answer lost(const NvmlStatus& status) {
  return Answer::yes(status.text(),
                     "Drain the node and power-cycle it; check power, seating and cooling, and replace the GPU when it "
                     "comes back.");
}

Answer closed(const NvmlStatus& status) {
  switch (status.code) {
    case kNvmlGpuIsLost:
    case kNvmlNotFound:
    case 28:
      return lost(status);
    default:
      return Answer::undecided("NVML cannot open the GPU: " + status.text());
  }
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  unsigned milliwatts = 0;
  for (const NvmlStatus& status : {nvml.temperature(device).status, nvml.DeviceGetPowerUsage(device, &milliwatts)}) {
    if (status.code == kNvmlGpuIsLost) return lost(status);
  }
  return Answer::no("NVML reaches the GPU");
}

}  // namespace

extern const Check kGpuLost = {
    .name = "gpu-lost",
    .question = "Has the GPU fallen off the bus?",
    .decision =
        "yes when NVML says that it is lost (15), or no longer finds it (6, 28); unknown when NVML cannot open "
        "it for another reason",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kBlockedBy,
    .ask = ask_gpu<ask, closed>,
};

}  // namespace cutopsy
