#include <array>
#include <cstdint>
#include <string>

#include "validators/cgroup.h"
#include "validators/checks/checks.h"
#include "validators/processes.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

// Of a limit, in percent: below this the kernel kills soon. A proposal of our own.
constexpr std::uint64_t kLeastLeft = 5;

constexpr std::array kParameters = {
    Parameter{"needed", "bytes that the job wants beside what it uses; without it, 5% of the limit", Form::bytes},
    Parameter{"pid", "the process; our own when absent"}};

Answer ask(const Inquiry& inquiry) {
  const auto process = process_folder(inquiry.host, inquiry.parameters);
  if (!process) return without_process(inquiry.host, inquiry.parameters);
  const auto levels = memory_cgroups(inquiry.host, *process);
  if (levels.empty()) return Answer::could_not_run("the memory controller cannot be seen in /sys/fs/cgroup");
  const MemoryCgroup* const level = tightest(levels);
  if (!level)
    return Answer::no("no control group limits the memory").with("used_bytes", std::to_string(levels[0].used));
  const std::uint64_t needed =
      inquiry.parameters.bytes("needed", 1ULL << 50).value_or(*level->limit / 100 * kLeastLeft);
  const std::string seen =
      size_text(level->left()) + " of the control group's " + size_text(*level->limit) + " are left";
  Answer answer = Answer::no(seen);
  if (level->left() < needed) {
    answer = Answer::yes(seen, "Give the job more memory (--memory, resources.limits.memory, --mem) or fewer workers.");
  }
  return std::move(answer)
      .with("limit_bytes", std::to_string(*level->limit))
      .with("used_bytes", std::to_string(level->used))
      .with("control_group", level->folder);
}

}  // namespace

extern const Check kCgroupMemory = {
    .name = "cgroup-memory",
    .question = "Is the host memory that the control group allows too small?",
    .decision =
        "yes when less is left below the lowest of memory.max and memory.high, up to the root, than needed, "
        "or than 5% of that limit (own proposal); file cache that can be dropped does not count as used",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
