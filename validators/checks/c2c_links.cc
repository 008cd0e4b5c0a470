#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

constexpr std::uint64_t kMostLinks = 64;  // far above any board's, against a driver that answers nonsense

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  const auto count = nvml.field(device, kNvmlFieldC2cCount);
  if (!count.ok()) return unanswered(count.status);
  if (count.value == 0) return Answer::not_applicable("this GPU has no link of its own to the CPU (C2C)");
  std::string down;
  std::uint64_t errors = 0;
  for (unsigned link = 0; link < std::min(count.value, kMostLinks); ++link) {
    const auto status = nvml.field(device, kNvmlFieldC2cStatus, link);
    if (!status.ok()) return unanswered(status.status);
    if (status.value == 0) down += (down.empty() ? "" : ",") + std::to_string(link);
    errors += nvml.field(device, kNvmlFieldC2cErrors, link).value;
  }
  const std::string seen = std::to_string(count.value) + " links to the CPU";
  Answer answer = Answer::no(seen + " are active, without errors");
  if (!down.empty()) {
    answer =
        Answer::yes("links to the CPU are down: " + down, "Power-cycle the node; read the kernel log for Xid 121.");
  } else if (errors > 0) {
    answer = Answer::undecided(seen + " are active; they had " + std::to_string(errors) + " errors");
  }
  return std::move(answer).with("down", down).with("errors", std::to_string(errors));
}

}  // namespace

extern const Check kC2cLinks = {
    .name = "c2c-links",
    .question = "Is a link between CPU and GPU (C2C) down?",
    .decision =
        "yes when a link's status is inactive; unknown when links are active but counted errors; not applicable "
        "where the GPU has none",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
