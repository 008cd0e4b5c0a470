#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "validators/checks/checks.h"
#include "validators/meminfo.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

// Of all memory, in percent: below this the kernel is about to kill. A proposal of our own.
constexpr std::uint64_t kLeastAvailable = 2;

// vm.overcommit_memory: https://docs.kernel.org/mm/overcommit-accounting.html
constexpr std::uint64_t kNeverOvercommit = 2;

constexpr std::array kParameters = {
    Parameter{"needed", "bytes that the job wants; without it, 2% of all memory", Form::bytes}};

Answer ask(const Inquiry& inquiry) {
  const auto memory = read_meminfo(inquiry.host);
  if (!memory) return Answer::could_not_run("/proc/meminfo cannot be read");
  const std::uint64_t needed =
      inquiry.parameters.bytes("needed", 1ULL << 50).value_or(memory->total / 100 * kLeastAvailable);
  const bool strict = inquiry.host.number("/proc/sys/vm/overcommit_memory") == kNeverOvercommit;
  const std::uint64_t to_promise = memory->commit_limit - std::min(memory->commit_limit, memory->committed);
  const std::uint64_t free = memory->available + memory->swap_free;
  Answer answer = Answer::no(size_text(free) + " of memory and swap are available");
  if (free < needed) {
    answer = Answer::yes("only " + size_text(free) + " of memory and swap are available",
                         "See who holds it (ps aux --sort=-rss); use fewer workers or a larger machine.");
  } else if (strict && to_promise < needed) {
    answer = Answer::yes("the kernel promises only " + size_text(to_promise) + " more (vm.overcommit_memory is 2)",
                         "Set vm.overcommit_memory to 0, or raise vm.overcommit_ratio.");
  }
  return std::move(answer)
      .with("total_bytes", std::to_string(memory->total))
      .with("available_bytes", std::to_string(memory->available))
      .with("swap_free_bytes", std::to_string(memory->swap_free))
      .with("committed_bytes", std::to_string(memory->committed));
}

}  // namespace

extern const Check kHostMemory = {
    .name = "host-memory",
    .question = "Is the machine out of host memory?",
    .decision =
        "yes when MemAvailable and SwapFree together, or what may still be committed where overcommitting is "
        "forbidden, are below needed, or below 2% of the memory (own proposal)",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
