#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/fabric.h"

namespace cutopsy {

namespace {

constexpr const char* kAdvice =
    "Start nvidia-fabricmanager in the driver's own version and read its log; see that nvidia-imex runs where nodes "
    "share a fabric.";

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  const auto fabric = fabric_info(nvml, device);
  if (!fabric.ok()) return unanswered(fabric.status);
  const std::string state = std::to_string(fabric.value.state);
  switch (fabric.value.state) {
    case kNvmlFabricNone:
      return Answer::not_applicable("this GPU joins no NVLink fabric");
    case kNvmlFabricDone:
      if (fabric.value.status == kNvmlSuccess) return Answer::no("the GPU has joined the fabric").with("state", state);
      return Answer::yes("the GPU could not join the fabric: " + NvmlStatus{"its probe", fabric.value.status}.text(),
                         kAdvice)
          .with("state", state);
    default:
      return Answer::yes(fabric.value.state == kNvmlFabricInProgress ? "the GPU is still joining the fabric"
                                                                     : "the GPU has not begun to join the fabric",
                         kAdvice)
          .with("state", state);
  }
}

}  // namespace

extern const Check kFabricReady = {
    .name = "fabric-ready",
    .question = "Has the GPU not joined its NVLink fabric?",
    .decision =
        "yes when the fabric's state is 'not started' or 'in progress', or it ended with an error; not "
        "applicable to GPUs without a fabric",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
