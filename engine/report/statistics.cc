#include "engine/report/statistics.h"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace cutopsy {

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::clean:
      return "clean";
    case Outcome::warning:
      return "warning";
    case Outcome::failure:
      return "failure";
  }
  return "";
}

Json statistics_json(const Batch& batch) {
  std::array<std::uint64_t, 3> outcomes{};
  std::array<std::uint64_t, 4> severities{};
  std::uint64_t bytes = 0, lines = 0, unknown = 0;
  std::set<std::string_view> inputs;
  for (const Analysis& analysis : batch.cases) {
    ++outcomes[static_cast<std::size_t>(analysis.diagnosis.outcome)];
    unknown += analysis.diagnosis.unknown.size();
    for (const Incident& incident : analysis.diagnosis.incidents)
      ++severities[static_cast<std::size_t>(incident.severity)];
    for (const InputSummary& input : analysis.inputs) {
      if (!inputs.insert(input.name).second) continue;
      bytes += input.bytes;
      lines += input.lines;
    }
  }
  Json json = {{"cases", {{"total", batch.cases.size()}}},
               {"inputs", inputs.size()},
               {"unreadable_inputs", batch.errors.size()},
               {"bytes", bytes},
               {"lines", lines},
               {"incidents", Json::object()}};
  for (const Outcome outcome : {Outcome::failure, Outcome::warning, Outcome::clean})
    json["cases"][std::string(outcome_name(outcome))] = outcomes[static_cast<std::size_t>(outcome)];
  for (const Severity severity : {Severity::fatal, Severity::error, Severity::warning, Severity::info})
    json["incidents"][std::string(to_string(severity))] = severities[static_cast<std::size_t>(severity)];
  json["incidents"]["unknown"] = unknown;
  return json;
}

void add_statistics(Json& sum, const Json& more) {
  if (sum.empty()) sum = statistics_json(Batch());
  for (auto& [key, value] : sum.items()) {
    if (value.is_object()) {
      add_statistics(value, object_in(more, key.c_str()));
      continue;
    }
    const auto so_far = value.get<std::uint64_t>();
    const std::uint64_t added = number_in(more, key.c_str());
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    value = so_far > kMost - added ? kMost : so_far + added;
  }
}

}  // namespace cutopsy
