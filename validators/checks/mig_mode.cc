#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry& inquiry) {
  unsigned current = 0;
  unsigned pending = 0;
  const NvmlStatus status = nvml.DeviceGetMigMode(device, &current, &pending);
  if (!status.ok()) return unanswered(status);
  const std::size_t instances = nvml.mig_devices(inquiry.gpu).size();
  Answer answer = Answer::no("MIG is off");
  if (current != pending) {
    answer = Answer::yes(std::string("MIG is ") + (current ? "on" : "off") + " and changes with the next reset",
                         "Reset the GPU once nothing runs on it.");
  } else if (current != 0 && instances == 0) {
    answer = Answer::yes("MIG is on, but the GPU has no MIG device: CUDA finds none",
                         "Create them (nvidia-smi mig -cgi ... -C) or switch MIG off (nvidia-smi -mig 0).");
  } else if (current != 0) {
    answer = Answer::no("MIG is on with " + std::to_string(instances) + " devices");
  }
  return std::move(answer)
      .with("mig_mode", std::to_string(current))
      .with("mig_pending", std::to_string(pending))
      .with("mig_devices", std::to_string(instances));
}

}  // namespace

extern const Check kMigMode = {
    .name = "mig-mode",
    .question = "Is the GPU set to be divided (MIG) without being so?",
    .decision =
        "yes when MIG is on without a MIG device, or differs from the pending mode; not applicable to GPUs "
        "that cannot be divided",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
