#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "validators/checks/checks.h"
#include "validators/kernel_log.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"pid", "the process that died, as the machine (not a container) numbers it; any when absent"},
    Parameter{"process", "its name, of which the kernel keeps 15 bytes; any when absent"}};

constexpr std::size_t kNameBytes = 15;

struct Kill {
  std::int64_t pid = 0;
  std::string_view name;
};

// "Out of memory: Killed process 2626304 (ruby) total-vm:3934332kB, ...", also behind "Memory cgroup out of memory: ":
// mm/oom_kill.c
std::optional<Kill> kill_in(std::string_view line) {
  static constexpr std::string_view kMark = "Killed process ";
  const std::size_t mark = line.find(kMark);
  if (mark == std::string_view::npos) return std::nullopt;
  line.remove_prefix(mark + kMark.size());
  Kill kill;
  if (std::from_chars(line.data(), line.data() + line.size(), kill.pid).ec != std::errc()) return std::nullopt;
  const std::size_t open = line.find('(');
  const std::size_t close = line.find(") total-vm:");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
  kill.name = line.substr(open + 1, close - open - 1);
  return kill;
}

Answer ask(const Inquiry& inquiry) {
  const auto log = read_kernel_log(inquiry.host);
  if (!log) return without_kernel_log();
  const auto pid = inquiry.parameters.number("pid", 1, std::numeric_limits<int>::max());
  const auto name = inquiry.parameters.text("process");
  KernelLogHits hits, others;
  for (const std::string& line : log->lines) {
    const auto kill = kill_in(line);
    if (!kill) continue;
    const bool is_meant = (!pid || kill->pid == *pid) && (!name || kill->name == name->substr(0, kNameBytes));
    (is_meant ? hits : others).add(line);
  }
  if (hits.count > 0 && !pid && !name) {
    return hits.measured(Answer::undecided("the kernel has killed for lack of memory, perhaps others: " + hits.last,
                                           "Give pid or process, to ask for one of them."));
  }
  if (hits.count > 0) {
    return hits.measured(Answer::yes("the kernel has killed for lack of memory: " + hits.last,
                                     "Give the job more host memory, or use fewer workers and smaller buffers."));
  }
  if (others.count > 0) {
    return others.measured(
        Answer::undecided("the kernel has killed others for lack of memory; a container numbers its "
                          "processes differently"));
  }
  if (!log->since_boot) {
    return hits.measured(Answer::undecided("no kill in " + log->source + ", whose beginning is lost"));
  }
  return hits.measured(Answer::no("no kill for lack of memory in " + log->source + " since boot"));
}

}  // namespace

extern const Check kKernelLogOom = {
    .name = "kernel-log-oom",
    .question = "Has the kernel killed a process for lack of memory since boot?",
    .decision =
        "yes when its log says that it killed the process asked for; unknown without the right to read the log, when "
        "its beginning is lost, when only others were killed, and when any were while no process is asked for",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
