#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  unsigned current = 0;
  unsigned pending = 0;
  const NvmlStatus status = nvml.DeviceGetEccMode(device, &current, &pending);
  if (!status.ok()) return unanswered(status);
  unsigned shipped = 0;
  const NvmlStatus knows_default = nvml.DeviceGetDefaultEccMode(device, &shipped);
  Answer answer = Answer::no("ECC is on");
  if (current != pending) {
    answer = Answer::yes(std::string("ECC is ") + (current ? "on" : "off") + " and changes with the next reset",
                         "Reset the GPU or reboot, so that the mode that was asked for takes effect.");
  } else if (current == 0 && knows_default.ok() && shipped == 0) {
    answer = Answer::undecided("ECC is off, as this board is shipped: memory errors go unseen");
  } else if (current == 0) {
    answer = Answer::yes("ECC is off: memory errors go unseen", "Switch it on: nvidia-smi -e 1, then reset the GPU.");
  }
  return std::move(answer).with("current", std::to_string(current)).with("pending", std::to_string(pending));
}

}  // namespace

extern const Check kEccMode = {
    .name = "ecc-mode",
    .question = "Is the memory's error correction (ECC) switched off, or about to change?",
    .decision =
        "yes when the mode differs from the pending one, or is off on a board that ships with it on; unknown on "
        "boards that have none, or ship with it off",
    .check_class = CheckClass::state,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
