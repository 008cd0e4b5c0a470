#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

// nvmlDeviceGpuRecoveryAction_t in nvml.h
constexpr const char* kActions[] = {
    "nothing",
    "Reset the GPU (nvidia-smi --gpu-reset) once nothing runs on it.",
    "Reboot the node.",
    "Drain the work that uses peer access (P2P) over this GPU.",
    "Drain the GPU's work and its peers', then reset it.",
    "Recover the IMEX domain (nvidia-imex on its nodes).",
};

Answer closed(const NvmlStatus& status) {
  return status.code == kNvmlResetRequired ? Answer::yes(status.text(), kActions[1]) : unanswered(status);
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  const NvmlStatus probe = nvml.temperature(device).status;
  if (probe.code == kNvmlResetRequired) return closed(probe);
  const auto action = nvml.field(device, kNvmlFieldRecoveryAction);
  if (!action.ok()) return closed(action.status);
  const std::string value = std::to_string(action.value);
  if (action.value == 0) return Answer::no("the driver asks for no recovery").with("recovery_action", value);
  const bool known = action.value < std::size(kActions);
  return Answer::yes("the driver asks for recovery (action " + value + ")",
                     known ? kActions[action.value] : "See NVIDIA's nvml.h for this recovery action.")
      .with("recovery_action", value);
}

}  // namespace

extern const Check kRecoveryState = {
    .name = "recovery-state",
    .question = "Does the driver ask for a reset, a drain or a reboot?",
    .decision =
        "yes when the field GPU_RECOVERY_ACTION is 1 to 5, or a query ends with 'reset required' (16); unknown "
        "on drivers that do not have the field (before R565)",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask, closed>,
};

}  // namespace cutopsy
