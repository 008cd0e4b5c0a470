#include "validators/checks/under_load.h"

#include <cstdio>
#include <string>
#include <utility>

#include "validators/checks/ask_nvml.h"

namespace cutopsy {

namespace {

const std::vector<CounterReading>& readings(const std::map<CounterGroup, std::vector<CounterReading>>& all,
                                            CounterGroup group) {
  static const std::vector<CounterReading> kNone;
  const auto found = all.find(group);
  return found == all.end() ? kNone : found->second;
}

Answer judge(const CounterGrowth& growth, std::optional<std::chrono::milliseconds> time, const CounterWords& words) {
  const std::string what(words.what);
  if (!growth.faults.empty()) {
    return Answer::yes(what + " were counted while the GPU was loaded:" + growth.faults, std::string(words.advice));
  }
  if (growth.compared == 0 && growth.refusal.ok()) return Answer::could_not_run("NVML did not tell the counts");
  if (growth.compared == 0 || (!growth.refusal.ok() && !growth.refusal.unsupported())) {
    return unanswered(growth.refusal);
  }
  if (!growth.backwards.empty()) {
    return Answer::undecided("the counts of " + what + " cannot be compared:" + growth.backwards);
  }
  if (!growth.below_limit.empty()) {
    return Answer::undecided("fewer " + what +
                             " than the limit were counted while the GPU was loaded:" + growth.below_limit);
  }
  return time ? Answer::no("no " + what + " were counted in " + load_text(*time)) : without_load();
}

}  // namespace

std::string load_text(std::chrono::milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s of load", std::chrono::duration<double>(time).count());
  return text;
}

Answer without_load() {
  return Answer::could_not_run("no load came to an end", "See what the checks that load the GPU say.");
}

Answer too_short_a_load(std::size_t moments) {
  return Answer::undecided("too short a load: only " + std::to_string(moments) + " moments under load were seen");
}

Answer judge_counters(const LoadRecord& record, CounterGroup group, std::span<const std::string_view> loads,
                      const CounterWords& words) {
  const double seconds = std::chrono::duration<double>(record.load_time).count();
  const CounterGrowth growth = compare_counters(readings(record.before, group), readings(record.after, group), seconds);
  Answer answer = judge(growth, record.time_of(loads), words);
  answer.measurements = growth.grown_by;
  return std::move(answer).with("load_seconds", std::to_string(seconds));
}

}  // namespace cutopsy
