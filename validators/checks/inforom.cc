#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  const NvmlStatus status = nvml.DeviceValidateInforom(device);
  if (status.ok()) return Answer::no("the infoROM's checksums are right");
  if (status.code == kNvmlCorruptedInforom) return Answer::yes(status.text(), "Have the GPU replaced or reflashed.");
  return unanswered(status);
}

}  // namespace

extern const Check kInforom = {
    .name = "inforom",
    .question = "Is the board's configuration memory (infoROM) corrupted?",
    .decision = "yes when NVML's validation says so (14); some boards need root for it",
    .check_class = CheckClass::state,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
