#include "engine/report/incident_json.h"

#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/explain/incident_builder.h"
#include "engine/report/hypothesis_json.h"
#include "engine/report/placeholders.h"
#include "engine/report/printable.h"
#include "engine/report/rate.h"
#include "engine/rule/advice.h"

namespace cutopsy {
namespace {

constexpr std::size_t kMaxTextBytes = 4096;
constexpr std::size_t kMaxProseBytes = 1 << 20;  // a rule file is no longer

Json text_or_null(std::string_view value) {
  return value.empty() ? Json(nullptr) : text_json(value);
}

// RFC 3339, so that later is greater.
Json date_or_null(double unix_seconds) {
  if (unix_seconds <= 0) return nullptr;
  const auto seconds = static_cast<std::time_t>(unix_seconds);
  std::tm parts{};
  if (!gmtime_r(&seconds, &parts)) return nullptr;
  char date[sizeof "2026-01-01T00:00:00Z"];
  const bool fits = std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0;
  return fits ? Json(date) : Json(nullptr);
}

// Two decimals: more would claim more than is known.
Json confidence(double value) {
  return std::round(value * 100) / 100;
}

Json where(const Analysis& analysis, const Incident& incident) {
  Json json = place_json(analysis, incident.where);
  std::string_view rank = incident.envelope.rank.empty() ? incident.fields.get("rank") : incident.envelope.rank;
  std::string_view host = incident.envelope.host.empty() ? incident.fields.get("host") : incident.envelope.host;
  json["rank"] = text_or_null(rank);
  json["host"] = text_or_null(host);
  json["gpu"] = text_or_null(incident.fields.has("gpu") ? incident.fields.get("gpu") : incident.fields.get("gpu_pci"));
  json["time"] = text_or_null(incident.envelope.time);
  return json;
}

void add_advice(Json& json, const Incident& incident, const Fields& facts) {
  const Advice advice = incident.advice ? *incident.advice : Advice();
  const auto fill = [&](const std::string& words) {
    return printable_lines(fill_placeholders(words, incident.fields, facts), kMaxProseBytes);
  };
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
  json["references"] = Json::array();
  for (const std::string& link : advice.references) json["references"].push_back(text_json(link));
}

Json because_json(const Analysis& analysis, const Because& link) {
  Json json = {{"rule", link.rule}};
  json.update(place_json(analysis, link.where));
  json["explains"] = link.explains;
  json["at"] = place_json(analysis, link.explained);
  json["basis"] = to_string(link.basis);
  return json;
}

}  // namespace

Json text_json(std::string_view value) {
  return printable_lines(value, kMaxTextBytes);
}

Json place_json(const Analysis& analysis, const Place& where) {
  std::string name = where.input < analysis.inputs.size() ? analysis.inputs[where.input].name : "";
  return {{"input", text_json(name)}, {"line", where.line}};
}

Json fields_json(const Fields& fields) {
  Json json = Json::object();
  for (const auto& [name, value] : fields) json[name] = text_json(value);
  return json;
}

Json incident_json(const Analysis& analysis, const Incident& incident) {
  Json json = {{"rule", incident.rule},
               {"title", text_json(fill_placeholders(incident.title, incident.fields, analysis.diagnosis.facts))},
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
    Json entry = place_json(analysis, evidence.where);
    entry["text"] = text_json(evidence.text);
    json["evidence"].push_back(std::move(entry));
  }
  for (const Because& link : incident.because) {
    json["because"].push_back(because_json(analysis, link));
  }
  for (const Alternative& other : incident.alternatives) {
    json["alternatives"].push_back({{"rule", other.rule}, {"confidence", confidence(other.confidence)}});
    if (!other.hypothesis.checks.empty()) json["alternatives"].back()["hypothesis"] = hypothesis_json(other.hypothesis);
  }
  add_advice(json, incident, analysis.diagnosis.facts);
  json["symptoms"] = Json::array();
  for (const Symptom& symptom : incident.symptoms) {
    json["symptoms"].push_back({{"rule", symptom.rule},
                                {"title", text_json(symptom.title)},
                                {"count", symptom.count},
                                {"where", place_json(analysis, symptom.where)}});
  }
  json["hypothesis"] = hypothesis_json(incident.hypothesis);
  json["first_seen"] = date_or_null(incident.first_seen);
  json["last_seen"] = date_or_null(incident.last_seen);
  return json;
}

Json unknown_json(const Analysis& analysis, const Unknown& unknown) {
  return {{"signature", text_json(unknown.signature)},
          {"count", unknown.count},
          {"where", place_json(analysis, unknown.where)},
          {"text", text_json(unknown.text)},
          {"fingerprint", fingerprint_of("unknown" + unknown.signature)}};
}

}  // namespace cutopsy
