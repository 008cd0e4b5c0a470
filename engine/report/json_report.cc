#include "engine/report/json_report.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/report/differing_facts.h"
#include "engine/report/limits.h"
#include "engine/report/placeholders.h"
#include "engine/report/printable.h"
#include "engine/report/rate.h"
#include "engine/rule/advice.h"

namespace cutopsy {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxTextBytes = 4096;

Json text(std::string_view value) {
  return printable_lines(value, kMaxTextBytes);
}
Json text_or_null(std::string_view value) {
  return value.empty() ? Json(nullptr) : text(value);
}
// Two decimals: more would claim more than is known.
Json confidence(double value) {
  return std::round(value * 100) / 100;
}

Json place(const Analysis& analysis, const Place& where) {
  std::string name = where.input < analysis.inputs.size() ? analysis.inputs[where.input].name : "";
  return {{"input", text(name)}, {"line", where.line}};
}

Json where(const Analysis& analysis, const Incident& incident) {
  Json json = place(analysis, incident.where);
  std::string_view rank = incident.envelope.rank.empty() ? incident.fields.get("rank") : incident.envelope.rank;
  std::string_view host = incident.envelope.host.empty() ? incident.fields.get("host") : incident.envelope.host;
  json["rank"] = text_or_null(rank);
  json["host"] = text_or_null(host);
  json["gpu"] = text_or_null(incident.fields.has("gpu") ? incident.fields.get("gpu") : incident.fields.get("gpu_pci"));
  json["time"] = text_or_null(incident.envelope.time);
  return json;
}

Json fields_json(const Fields& fields) {
  Json json = Json::object();
  for (const auto& [name, value] : fields) json[name] = text(value);
  return json;
}

Json differing_json(const Analysis& analysis) {
  Json json = Json::object();
  for (const DifferingFact& fact : differing_facts(analysis.facts)) {
    Json values = Json::array();
    for (const DifferingFact::Value& value : fact.values) {
      Json entry = {{"value", text(value.text)}, {"where", place(analysis, value.where)}};
      for (const auto& [key, names] :
           {std::pair("hosts", &value.hosts), std::pair("ranks", &value.ranks), std::pair("gpus", &value.gpus)}) {
        entry[key] = Json::array();
        for (const std::string& name : *names) entry[key].push_back(text(name));
      }
      values.push_back(std::move(entry));
    }
    json[std::string(fact.name)] = std::move(values);
  }
  return json;
}

void add_advice(Json& json, const Incident& incident, const Fields& facts) {
  Advice advice;
  if (incident.advice) advice = *incident.advice;
  auto fill = [&](const std::string& words) { return fill_placeholders(words, incident.fields, facts); };
  json["cause"] = fill(advice.cause);
  json["fix"] = Json::array();
  for (const FixStep& step : advice.fix) {
    Json entry = {{"do", fill(step.what)}};
    if (!step.run.empty()) entry["run"] = fill(step.run);
    json["fix"].push_back(std::move(entry));
  }
  json["debug"] = Json::array();
  for (const std::string& step : advice.debug) json["debug"].push_back(fill(step));
  json["prevent"] = fill(advice.prevent);
  json["references"] = advice.references;
}

Json because_json(const Analysis& analysis, const Because& link) {
  Json json = {{"rule", link.rule}};
  json.update(place(analysis, link.where));
  json["explains"] = link.explains;
  json["at"] = place(analysis, link.explained);
  json["basis"] = to_string(link.basis);
  return json;
}

Json incident_json(const Analysis& analysis, const Incident& incident) {
  Json json = {{"rule", incident.rule},
               {"title", fill_placeholders(incident.title, incident.fields, analysis.diagnosis.facts)},
               {"severity", to_string(incident.severity)},
               {"confidence", confidence(incident.confidence)},
               {"count", incident.count},
               {"fingerprint", incident.fingerprint},
               {"fields", fields_json(incident.fields)},
               {"where", where(analysis, incident)},
               {"ranks", incident.ranks},
               {"waiting_ranks", incident.waiting_ranks},
               {"evidence", Json::array()},
               {"because", Json::array()},
               {"alternatives", Json::array()}};
  if (const auto rate = rate_of(incident)) json["repeats"] = {{"within_seconds", rate->seconds}, {"text", rate->text}};
  for (const Evidence& evidence : incident.evidence) {
    Json entry = place(analysis, evidence.where);
    entry["text"] = text(evidence.text);
    json["evidence"].push_back(std::move(entry));
  }
  for (const Because& link : incident.because) {
    json["because"].push_back(because_json(analysis, link));
  }
  for (const Alternative& other : incident.alternatives) {
    json["alternatives"].push_back({{"rule", other.rule}, {"confidence", confidence(other.confidence)}});
  }
  add_advice(json, incident, analysis.diagnosis.facts);
  json["symptoms"] = Json::array();
  for (const Symptom& symptom : incident.symptoms) {
    json["symptoms"].push_back({{"rule", symptom.rule},
                                {"title", text(symptom.title)},
                                {"count", symptom.count},
                                {"where", place(analysis, symptom.where)}});
  }
  json["hypothesis"] = {{"verdict", "not-run"}, {"checks", Json::array()}};
  return json;
}

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
      Json entry = {{"name", text(input.name)}, {"bytes", input.bytes}, {"lines", input.lines}};
      if (!input.error.empty()) entry["error"] = text(input.error);
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

Json unknown_json(const Batch& batch) {
  Json list = Json::array();
  for (std::size_t i = 0; i < batch.cases.size(); ++i) {
    for (const Unknown& unknown : batch.cases[i].diagnosis.unknown) {
      list.push_back({{"signature", text(unknown.signature)},
                      {"count", unknown.count},
                      {"where", place(batch.cases[i], unknown.where)},
                      {"text", text(unknown.text)}});
      if (batch.cases.size() > 1) list.back()["case"] = i;
    }
  }
  return list;
}

Json cases_json(const Batch& batch) {
  Json cases = Json::array();
  for (const Analysis& analysis : batch.cases) {
    Json names = Json::array();
    for (const InputSummary& input : analysis.inputs) names.push_back(text(input.name));
    cases.push_back({{"inputs", std::move(names)},
                     {"outcome", outcome_name(analysis.diagnosis.outcome)},
                     {"facts", fields_json(analysis.diagnosis.facts)},
                     {"facts_differ", differing_json(analysis)}});
  }
  return cases;
}

}  // namespace

std::string json_report(const Batch& batch, const RuleSet& rules) {
  Json json = {{"schema", "cutopsy/report/v1"},
               {"tool",
                {{"name", "cutopsy"},
                 {"version", CUTOPSY_VERSION},
                 {"rules", rules.rules().size()},
                 {"rules_digest", rules.digest()}}},
               {"outcome", outcome_name(outcome_of(batch))},
               {"inputs", inputs_json(batch)},
               {"facts", fields_json(facts_of(batch))},
               {"facts_differ", batch.cases.size() == 1 ? differing_json(batch.cases[0]) : Json::object()},
               {"limits", limits_json(limits_of(batch))},
               {"incidents", incidents_json(batch)},
               {"unknown", unknown_json(batch)}};
  if (batch.cases.size() > 1) json["cases"] = cases_json(batch);
  if (!batch.skipped.empty()) json["skipped"] = batch.skipped;
  return json.dump(2) + "\n";
}

std::string json_lines_report(const Batch& batch) {
  std::string lines;
  for (const Json& incident : incidents_json(batch)) lines += incident.dump() + "\n";
  return lines;
}

}  // namespace cutopsy
