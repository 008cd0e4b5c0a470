#include "engine/report/report_document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "engine/report/differing_facts.h"
#include "engine/report/incident_json.h"
#include "engine/report/incident_rows.h"
#include "engine/report/limits.h"
#include "engine/report/statistics.h"

namespace cutopsy {
namespace {

Json differing_json(const Analysis& analysis) {
  Json json = Json::object();
  for (const DifferingFact& fact : differing_facts(analysis.facts)) {
    Json values = Json::array();
    for (const DifferingFact::Value& value : fact.values) {
      Json entry = {{"value", text_json(value.text)}, {"where", place_json(analysis, value.where)}};
      for (const auto& [key, names] :
           {std::pair("hosts", &value.hosts), std::pair("ranks", &value.ranks), std::pair("gpus", &value.gpus)}) {
        entry[key] = Json::array();
        for (const std::string& name : *names) entry[key].push_back(text_json(name));
      }
      values.push_back(std::move(entry));
    }
    json[std::string(fact.name)] = std::move(values);
  }
  return json;
}

Json limits_json(const LimitsReached& limits) {
  Json json = Json::object();
  for (const LimitText& text : limit_texts()) json[std::string(text.name)] = limits.*text.count;
  return json;
}

// An input that belongs to several cases (a kernel log) is listed once.
Json inputs_json(const Batch& batch) {
  Json inputs = Json::array();
  std::set<std::string_view> listed;
  for (const Analysis& analysis : batch.cases) {
    for (const InputSummary& input : analysis.inputs) {
      if (!listed.insert(input.name).second) continue;
      Json entry = {{"name", text_json(input.name)}, {"bytes", input.bytes}, {"lines", input.lines}};
      if (!input.error.empty()) entry["error"] = text_json(input.error);
      inputs.push_back(std::move(entry));
    }
  }
  return inputs;
}

// What all cases that know of a fact agree on.
Fields facts_of(const Batch& batch) {
  std::set<std::string_view> disputed;
  Fields facts;
  for (const Analysis& analysis : batch.cases) {
    for (const auto& [name, value] : analysis.diagnosis.facts) {
      if (facts.has(name) && facts.get(name) != value) disputed.insert(name);
      facts.set_if_absent(name, value);
    }
  }
  Fields agreed;
  for (const auto& [name, value] : facts) {
    if (disputed.count(name) == 0) agreed.set(name, value);
  }
  return agreed;
}

LimitsReached limits_of(const Batch& batch) {
  LimitsReached limits;
  for (const Analysis& analysis : batch.cases) limits += analysis.limits;
  return limits;
}

// The incidents of all cases, failures first; each says to which case it belongs when there are several.
Json incidents_json(const Batch& batch) {
  Json incidents = Json::array();
  for (bool failures : {true, false}) {
    for (std::size_t i = 0; i < batch.cases.size(); ++i) {
      for (const Incident& incident : batch.cases[i].diagnosis.incidents) {
        if ((incident.severity >= Severity::error) != failures) continue;
        incidents.push_back(incident_json(batch.cases[i], incident));
        if (batch.cases.size() > 1) incidents.back()["case"] = i;
      }
    }
  }
  return incidents;
}

Json unknowns_json(const Batch& batch) {
  Json list = Json::array();
  for (std::size_t i = 0; i < batch.cases.size(); ++i) {
    for (const Unknown& unknown : batch.cases[i].diagnosis.unknown) {
      list.push_back(unknown_json(batch.cases[i], unknown));
      if (batch.cases.size() > 1) list.back()["case"] = i;
    }
  }
  return list;
}

// Facts on which all of a job should agree, and do not.
Json disputed_json(const Analysis& analysis) {
  Json names = Json::array();
  for (const DifferingFact& fact : differing_facts(analysis.facts)) {
    if (divides_the_job(fact)) names.push_back(std::string(fact.name));
  }
  return names;
}

Json cases_json(const Batch& batch) {
  Json cases = Json::array();
  for (const Analysis& analysis : batch.cases) {
    Json names = Json::array();
    for (const InputSummary& input : analysis.inputs) names.push_back(text_json(input.name));
    cases.push_back({{"inputs", std::move(names)},
                     {"outcome", outcome_name(analysis.diagnosis.outcome)},
                     {"facts", fields_json(analysis.diagnosis.facts)},
                     {"facts_differ", differing_json(analysis)},
                     {"facts_disputed", disputed_json(analysis)}});
  }
  return cases;
}

Json tool_json(const RuleSet& rules) {
  return {{"name", "cutopsy"},
          {"version", CUTOPSY_VERSION},
          {"rules", rules.rules().size()},
          {"rules_digest", rules.digest()}};
}

Json case_name_of(const Json& document, const Json& incident) {
  const Json& cases = list_in(document, "cases");
  const std::uint64_t number = number_in(incident, "case");
  const Json& inputs = number < cases.size() ? list_in(cases[number], "inputs") : list_in(document, "inputs");
  if (inputs.empty()) return Json::array();
  return Json::array({inputs[0].is_object() ? inputs[0]["name"] : inputs[0]});
}

// An entry of "unknown" as a line: like an incident, of a rule of its own. One that came as a line stays as it was.
Json line_of_unknown(const Json& unknown) {
  Json evidence = object_in(unknown, "where");
  evidence["text"] = text_in(unknown, "text");
  Json line = {{"rule", kUnknownRule},
               {"title", "A failure that no rule knows"},
               {"severity", to_string(Severity::error)},
               {"evidence", Json::array({std::move(evidence)})}};
  line.update(unknown);
  return line;
}

// One entry for each fingerprint, with the index of its sample.
Json groups_json(const Json& document) {
  IncidentRows rows;
  std::size_t known = list_in(document, "incidents").size();
  std::size_t origin = 0;
  for (Json& line : report_lines(document)) rows.add(std::move(line), origin++);
  Json groups = Json::array();
  for (const IncidentRow& row : rows.sorted()) {
    Json group = Json::object();
    for (const char* key :
         {"fingerprint", "rule", "title", "severity", "cases", "case_names", "count", "first_seen", "last_seen"})
      group[key] = row.incident[key];
    const bool is_unknown = row.origin >= known;
    group[is_unknown ? "unknown" : "incident"] = is_unknown ? row.origin - known : row.origin;
    groups.push_back(std::move(group));
  }
  return groups;
}

std::string_view outcome_of_lines(const std::vector<IncidentRow>& rows) {
  int worst = -1;
  for (const IncidentRow& row : rows) worst = std::max(worst, severity_rank(text_in(row.incident, "severity")));
  const bool failed = worst >= static_cast<int>(Severity::error);
  return outcome_name(failed                                         ? Outcome::failure
                      : worst == static_cast<int>(Severity::warning) ? Outcome::warning
                                                                     : Outcome::clean);
}

}  // namespace

Json report_document(const Batch& batch, const RuleSet& rules) {
  const bool is_one = batch.cases.size() == 1;
  Json document = {{"schema", "cutopsy/report/v1"},
                   {"tool", tool_json(rules)},
                   {"outcome", outcome_name(outcome_of(batch))},
                   {"inputs", inputs_json(batch)},
                   {"facts", fields_json(facts_of(batch))},
                   {"facts_differ", is_one ? differing_json(batch.cases[0]) : Json::object()},
                   {"facts_disputed", is_one ? disputed_json(batch.cases[0]) : Json::array()},
                   {"limits", limits_json(limits_of(batch))},
                   {"incidents", incidents_json(batch)},
                   {"unknown", unknowns_json(batch)}};
  if (!is_one) document["cases"] = cases_json(batch);
  if (!batch.skipped.empty()) document["skipped"] = batch.skipped;
  if (!is_one) document["groups"] = groups_json(document);
  document["statistics"] = statistics_json(batch);
  return document;
}

Json merged_document(const IncidentRows& rows, Json statistics, const RuleSet& rules) {
  const std::vector<IncidentRow> sorted = rows.sorted();
  Json document = {{"schema", "cutopsy/report/v1"}, {"tool", tool_json(rules)},   {"outcome", outcome_of_lines(sorted)},
                   {"inputs", Json::array()},       {"facts", Json::object()},    {"facts_differ", Json::object()},
                   {"limits", Json::object()},      {"incidents", Json::array()}, {"unknown", Json::array()}};
  for (const IncidentRow& row : sorted) {
    const bool is_unknown = text_in(row.incident, "rule") == kUnknownRule;
    document[is_unknown ? "unknown" : "incidents"].push_back(row.incident);
  }
  document["groups"] = groups_json(document);
  if (!statistics.empty()) document["statistics"] = std::move(statistics);
  return document;
}

std::vector<Json> report_lines(const Json& document) {
  std::vector<Json> lines;
  const auto add = [&](Json line, const Json& found) {
    if (!line.contains("cases")) line["cases"] = 1;
    if (!line.contains("case_names")) line["case_names"] = case_name_of(document, found);
    lines.push_back(std::move(line));
  };
  for (const Json& incident : list_in(document, "incidents")) add(incident, incident);
  for (const Json& unknown : list_in(document, "unknown")) add(line_of_unknown(unknown), unknown);
  return lines;
}

std::vector<Json> report_rows(const Json& document) {
  const std::vector<Json> lines = report_lines(document);
  if (!document.contains("groups")) return lines;
  const std::size_t incidents = list_in(document, "incidents").size();
  std::vector<Json> rows;
  for (const Json& group : list_in(document, "groups")) {
    const bool is_unknown = group.contains("unknown");
    Json row = lines.at(is_unknown ? incidents + number_in(group, "unknown") : number_in(group, "incident"));
    for (const char* key : {"severity", "cases", "case_names", "count", "first_seen", "last_seen", "known", "context"})
      if (group.contains(key)) row[key] = group[key];
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace cutopsy
