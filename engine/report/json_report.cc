#include "engine/report/json_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/report/differing_facts.h"
#include "engine/report/placeholders.h"
#include "engine/report/printable.h"
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
  if (incident.definition) advice = parse_advice(*incident.definition);
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
               {"evidence", Json::array()},
               {"because", Json::array()},
               {"alternatives", Json::array()}};
  for (const Evidence& evidence : incident.evidence) {
    Json entry = place(analysis, evidence.where);
    entry["text"] = text(evidence.text);
    json["evidence"].push_back(std::move(entry));
  }
  for (const Because& link : incident.because) {
    json["because"].push_back({{"rule", link.rule}, {"line", link.where.line}, {"explains", link.explains}});
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
  return {{"records_cut", limits.records_cut},
          {"records_stale", limits.records_stale},
          {"lanes_evicted", limits.lanes_evicted},
          {"findings_dropped", limits.findings_dropped},
          {"facts_dropped", limits.facts_dropped}};
}

}  // namespace

std::string json_report(const Analysis& analysis, const RuleSet& rules) {
  Json json = {{"schema", "cutopsy/report/v1"},
               {"tool",
                {{"name", "cutopsy"},
                 {"version", CUTOPSY_VERSION},
                 {"rules", rules.rules().size()},
                 {"rules_digest", rules.digest()}}},
               {"outcome", outcome_name(analysis.diagnosis.outcome)},
               {"inputs", Json::array()},
               {"facts", fields_json(analysis.diagnosis.facts)},
               {"facts_differ", differing_json(analysis)},
               {"limits", limits_json(analysis.limits)},
               {"incidents", Json::array()},
               {"unknown", Json::array()}};
  for (const InputSummary& input : analysis.inputs) {
    Json entry = {{"name", text(input.name)}, {"bytes", input.bytes}, {"lines", input.lines}};
    if (!input.error.empty()) entry["error"] = text(input.error);
    json["inputs"].push_back(std::move(entry));
  }
  for (const Incident& incident : analysis.diagnosis.incidents) {
    json["incidents"].push_back(incident_json(analysis, incident));
  }
  for (const Unknown& unknown : analysis.diagnosis.unknown) {
    json["unknown"].push_back({{"signature", text(unknown.signature)},
                               {"count", unknown.count},
                               {"where", place(analysis, unknown.where)},
                               {"text", text(unknown.text)}});
  }
  return json.dump(2) + "\n";
}

std::string json_lines_report(const Analysis& analysis) {
  std::string lines;
  for (const Incident& incident : analysis.diagnosis.incidents) {
    lines += incident_json(analysis, incident).dump() + "\n";
  }
  return lines;
}

}  // namespace cutopsy
