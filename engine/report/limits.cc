#include "engine/report/limits.h"

#include <fmt/format.h>

namespace cutopsy {

std::span<const LimitText> limit_texts() {
  static constexpr LimitText kTexts[] = {
      {"records_cut", &LimitsReached::records_cut, "tracebacks or reports too long to be read to their ends"},
      // A rank that has died prints nothing more.
      {"records_stale", &LimitsReached::records_stale, ""},
      {"lanes_evicted", &LimitsReached::lanes_evicted,
       "tracebacks or reports left unfinished, since too many were printed at once"},
      {"findings_merged", &LimitsReached::findings_merged,
       "findings only counted with others of their rule, since there were too many to tell apart"},
      {"facts_dropped", &LimitsReached::facts_dropped, "versions and other facts dropped, since there were too many"},
      {"combinations_dropped", &LimitsReached::combinations_dropped,
       "half matches of rules with several signatures dropped, since there were too many"},
      {"findings_not_compared", &LimitsReached::findings_not_compared,
       "findings left out of the search for the cause, since there were too many"},
      {"lines_cut", &LimitsReached::lines_cut, "cuts through lines longer than 64 KiB, across which nothing is found"},
  };
  return kTexts;
}

std::string limits_line(const Json& limits) {
  std::string line;
  for (const LimitText& text : limit_texts()) {
    const std::uint64_t count = number_in(limits, text.name);
    if (count == 0 || text.meaning.empty()) continue;
    line += fmt::format("{} {} {}", line.empty() ? "Not all was read:" : ";", count, text.meaning);
  }
  return line.empty() ? line : line + ".\n";
}

}  // namespace cutopsy
