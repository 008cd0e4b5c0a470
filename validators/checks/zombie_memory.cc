#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/processes.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

constexpr std::uint64_t kMostUnowned = 500ULL << 20;  // own proposal: several times what an idle driver keeps

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry& inquiry) {
  unsigned node = 0;
  if (nvml.DeviceGetNumaNodeId(device, &node).ok()) {
    return Answer::not_applicable("the operating system manages this GPU's memory and keeps pages of ended processes");
  }
  if (nvml.mig_enabled(device)) return Answer::not_applicable("the GPU is divided (MIG): its instances use memory");
  const auto use = nvml.memory(device);
  if (!use.ok()) return unanswered(use.status);
  if (!use.value.reserved) return Answer::not_applicable("the driver is too old to tell its own memory from others'");
  const auto computing = nvml.compute_processes(device);
  if (!computing.ok()) return unanswered(computing.status);
  const auto drawing = nvml.graphics_processes(device);
  const std::string used = size_text(use.value.used) + " are in use";
  Answer answer = Answer::no(used);
  if (use.value.used > kMostUnowned) {
    if (!computing.value.empty() || !drawing.value.empty()) {
      answer = Answer::undecided(used + ", and there are processes that may own them");
    } else if (!shows_all_processes(inquiry.host)) {
      answer = Answer::undecided(used + "; processes outside this container cannot be seen");
    } else {
      answer = Answer::yes(used + ", but no process owns them",
                           "Look for processes with the device open (fuser -v /dev/nvidia*) and end them; else reset "
                           "the GPU.");
    }
  }
  return std::move(answer).with("used_bytes", std::to_string(use.value.used));
}

}  // namespace

extern const Check kZombieMemory = {
    .name = "zombie-memory",
    .question = "Is GPU memory in use that belongs to no process?",
    .decision =
        "yes when more than 500 MiB are used and no process is listed (own proposal); unknown inside a "
        "container, whose list of processes may be empty, and beside other processes",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
