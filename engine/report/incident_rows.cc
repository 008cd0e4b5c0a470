#include "engine/report/incident_rows.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "engine/rule/rule.h"

namespace cutopsy {
namespace {

// Members that tell of all cases; "case" and "known" tell of the run that wrote the line.
constexpr const char* kOfAllCases[] = {"severity", "count", "cases", "case_names", "first_seen", "last_seen"};
constexpr const char* kOfOneRun[] = {"case", "known"};

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

// The names in the order of the alphabet, each once, not more than are kept.
Json first_names(const Json& a, const Json& b) {
  std::set<std::string> names;
  for (const Json* list : {&a, &b}) {
    for (const Json& name : *list) {
      if (name.is_string()) names.insert(name.get<std::string>());
      if (names.size() > kMaxCaseNames) names.erase(std::prev(names.end()));
    }
  }
  return names;
}

Json text_or_null(std::string_view text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

// The row of a line: all members of all cases, of their types and in one order.
Json row_of(Json line) {
  Json names = list_in(line, "case_names");
  if (names.empty()) names.push_back(text_in(object_in(line, "where"), "input"));
  const bool has_severity = severity_rank(text_in(line, "severity")) >= 0;
  const Json of_all_cases = {{"severity", has_severity ? text_in(line, "severity") : to_string(Severity::error)},
                             {"count", std::max<std::uint64_t>(number_in(line, "count"), 1)},
                             {"cases", std::max<std::uint64_t>(number_in(line, "cases"), 1)},
                             {"case_names", first_names(names, Json::array())},
                             {"first_seen", text_or_null(text_in(line, "first_seen"))},
                             {"last_seen", text_or_null(text_in(line, "last_seen"))}};
  for (const char* key : kOfOneRun) line.erase(key);
  for (const auto& [key, value] : of_all_cases.items()) {
    line.erase(key);
    line[key] = value;
  }
  return line;
}

std::string sample_text(Json row) {
  for (const char* key : kOfAllCases) row.erase(key);
  return dumped(row);
}

bool is_sample_before(const Json& a, const Json& b) {
  const auto place = [](const Json& row) {
    const Json& where = object_in(row, "where");
    return std::pair(text_in(where, "input"), number_in(where, "line"));
  };
  if (place(a) != place(b)) return place(a) < place(b);
  return sample_text(a) < sample_text(b);
}

std::string_view earlier(std::string_view a, std::string_view b) {
  return a.empty() || (!b.empty() && b < a) ? b : a;
}

// Adds to `sample` what is known of the cases of `other`.
void add_cases(Json& sample, const Json& other) {
  if (severity_rank(text_in(other, "severity")) > severity_rank(text_in(sample, "severity"))) {
    sample["severity"] = text_in(other, "severity");
  }
  for (const char* key : {"count", "cases"}) sample[key] = sum(number_in(sample, key), number_in(other, key));
  sample["case_names"] = first_names(list_in(sample, "case_names"), list_in(other, "case_names"));
  const std::string first(earlier(text_in(sample, "first_seen"), text_in(other, "first_seen")));
  const std::string last(std::max(text_in(sample, "last_seen"), text_in(other, "last_seen")));
  sample["first_seen"] = text_or_null(first);
  sample["last_seen"] = text_or_null(last);
}

auto order(const IncidentRow& row) {
  const Json& incident = row.incident;
  const auto down = [](std::uint64_t number) { return std::numeric_limits<std::uint64_t>::max() - number; };
  return std::tuple(text_in(incident, "rule") == kUnknownRule, down(number_in(incident, "cases")),
                    -severity_rank(text_in(incident, "severity")), down(number_in(incident, "count")),
                    text_in(incident, "rule"), text_in(incident, "fingerprint"));
}

}  // namespace

int severity_rank(std::string_view name) {
  for (const Severity severity : {Severity::info, Severity::warning, Severity::error, Severity::fatal}) {
    if (name == to_string(severity)) return static_cast<int>(severity);
  }
  return -1;
}

void IncidentRows::add(Json line, std::size_t origin) {
  std::string fingerprint(text_in(line, "fingerprint"));
  IncidentRow added{row_of(std::move(line)), origin};
  const auto [place, is_new] = rows_.try_emplace(std::move(fingerprint), added);
  if (is_new) return;
  IncidentRow& known = place->second;
  if (is_sample_before(added.incident, known.incident)) std::swap(added, known);
  add_cases(known.incident, added.incident);
}

std::vector<IncidentRow> IncidentRows::sorted() const {
  std::vector<IncidentRow> rows;
  for (const auto& [fingerprint, row] : rows_) rows.push_back(row);
  std::sort(rows.begin(), rows.end(), [](const IncidentRow& a, const IncidentRow& b) { return order(a) < order(b); });
  return rows;
}

}  // namespace cutopsy
