#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/processes.h"

namespace cutopsy {

namespace {

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry& inquiry) {
  unsigned mode = 0;
  const NvmlStatus status = nvml.DeviceGetPersistenceMode(device, &mode);
  if (!status.ok()) return unanswered(status);
  if (mode != 0) return Answer::no("persistence mode is on");
  unsigned display = 0;
  const bool draws = nvml.DeviceGetDisplayActive(device, &display).ok() && display != 0;
  if (draws || !nvml.graphics_processes(device).value.empty()) {
    return Answer::no("persistence mode is off, but a display keeps the driver's state");
  }
  if (find_process(inquiry.host, "nvidia-persistenced")) {
    return Answer::undecided("persistence mode is off, but nvidia-persistenced runs");
  }
  return Answer::yes("persistence mode is off: the driver drops the GPU's state when the last process leaves",
                     "Start nvidia-persistenced.");
}

}  // namespace

extern const Check kPersistence = {
    .name = "persistence",
    .question = "Does the driver drop the GPU's state between jobs?",
    .decision =
        "yes when persistence mode is off and neither a display nor nvidia-persistenced keeps the driver; no "
        "fault by itself, so asked at the last level only",
    .check_class = CheckClass::state,
    .need = Need::nvml,
    .level = Level::thorough,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
