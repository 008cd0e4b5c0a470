#include <array>
#include <string>

#include "validators/cgroup.h"
#include "validators/checks/checks.h"
#include "validators/processes.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {Parameter{"pid", "the process whose control group is asked; our own when absent"}};

Answer ask(const Inquiry& inquiry) {
  const auto process = process_folder(inquiry.host, inquiry.parameters);
  if (!process) return without_process(inquiry.host, inquiry.parameters);
  const auto levels = memory_cgroups(inquiry.host, *process);
  // The own group's count: those above also count what others did.
  if (levels.empty() || !levels[0].kills) {
    return Answer::could_not_run("no count of kills (oom_kill) in the control group of the process",
                                 "Ask inside the job's container, or give the pid of one of its processes.");
  }
  const std::string count = std::to_string(*levels[0].kills);
  Answer answer = Answer::no("the kernel has killed nothing in this control group");
  if (*levels[0].kills > 0) {
    answer = Answer::yes("the kernel has killed " + count + " processes of this control group for lack of memory",
                         "Give the job more memory (--memory, resources.limits.memory, --mem) or fewer workers.");
  }
  return std::move(answer).with("oom_kills", count).with("control_group", levels[0].folder);
}

}  // namespace

extern const Check kCgroupOom = {
    .name = "cgroup-oom",
    .question = "Has the kernel killed a process of the control group for lack of memory?",
    .decision =
        "yes when oom_kill of memory.events (version 1: memory.oom_control) is above 0; a group's count is gone "
        "with the group",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
