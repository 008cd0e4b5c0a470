#include "engine/report/sarif_report.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "engine/report/incident_rows.h"
#include "engine/report/placeholders.h"
#include "engine/report/report_document.h"
#include "engine/report/runner_commands.h"
#include "engine/report/shown.h"
#include "engine/rule/advice.h"

namespace cutopsy {
namespace {

constexpr const char* kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

std::string_view level_of(std::string_view severity) {
  const int rank = severity_rank(severity);
  return rank >= severity_rank("error") ? "error" : rank == severity_rank("warning") ? "warning" : "note";
}

// A path as a URI reference: https://www.rfc-editor.org/rfc/rfc3986#section-2.1
std::string uri_of(std::string_view path) {
  constexpr std::string_view kUnreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!+,=@";
  if (path == "-") return "stdin";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (kUnreserved.find(c) != kUnreserved.npos) {
      uri += c;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return uri;
}

Json location_of(const Json& place) {
  const std::string_view name = text_in(place, "input");
  Json physical = {{"artifactLocation", {{"uri", uri_of(name.empty() ? "unknown" : name)}}}};
  if (const std::uint64_t line = number_in(place, "line"); line > 0) {
    physical["region"] = {{"startLine", line}};
    if (place.contains("text")) physical["region"]["snippet"] = {{"text", text_in(place, "text")}};
  }
  return {{"physicalLocation", std::move(physical)}};
}

Json region_of(const Json& context) {
  std::string text;
  for (const Json& line : context) text.append(text_in(line, "text")).append("\n");
  return {{"startLine", std::max<std::uint64_t>(number_in(context.front(), "line"), 1)},
          {"endLine", std::max<std::uint64_t>(number_in(context.back(), "line"), 1)},
          {"snippet", {{"text", std::move(text)}}}};
}

// The place of the fault with its line as evidence, which is the first.
Json locations_of(const Json& incident) {
  const Json& evidence = list_in(incident, "evidence");
  Json location = location_of(evidence.empty() ? object_in(incident, "where") : evidence[0]);
  const Json& context = list_in(incident, "context");
  if (!context.empty() && location["physicalLocation"].contains("region"))
    location["physicalLocation"]["contextRegion"] = region_of(context);
  return Json::array({std::move(location)});
}

Json related_of(const Json& incident) {
  Json related = Json::array();
  const Json& evidence = list_in(incident, "evidence");
  for (std::size_t i = 1; i < evidence.size(); ++i) related.push_back(location_of(evidence[i]));
  for (const Json& symptom : list_in(incident, "symptoms")) {
    related.push_back(location_of(object_in(symptom, "where")));
    related.back()["message"] = {{"text", fmt::format("followed from it: {}", text_in(symptom, "title"))}};
  }
  return related;
}

// "[text](target)" in a message is a link (SARIF 2.1.0, 3.11.6); log text makes none.
std::string without_links(std::string message) {
  for (std::size_t at = message.find("]("); at != message.npos; at = message.find("](", at))
    message.insert(at + 1, " ");
  return message;
}

std::string message_of(const Json& incident) {
  const std::string_view cause = text_in(incident, "cause");
  std::string message(text_in(incident, "title"));
  if (!cause.empty()) message += fmt::format("\n\n{}", cause);
  int number = 0;
  for (const Json& step : list_in(incident, "fix")) message += fmt::format("\n{}. {}", ++number, text_in(step, "do"));
  if (message.empty()) message = text_in(incident, "rule");
  return without_links(std::move(message));
}

struct Help {
  std::string text, markdown, link;
};

// What a rule says without a log: "{field}" stands as "<field>".
Help help_of(const Rule& rule) {
  const Advice advice = parse_advice(rule);
  const auto fill = [](const std::string& words) { return fill_placeholders(words, {}, {}, Unfilled::name); };
  Help help{fill(advice.cause), fill(advice.cause), advice.references.empty() ? "" : advice.references.front()};
  int number = 0;
  for (const FixStep& step : advice.fix) {
    const std::string what = fmt::format("{}. {}", ++number, fill(step.what));
    help.text += fmt::format("\n{}{}", what, step.run.empty() ? "" : "\n   $ " + fill(step.run));
    help.markdown += fmt::format("\n{}{}{}", number == 1 ? "\n" : "", what,
                                 step.run.empty() ? "" : fmt::format("\n\n   ```\n   {}\n   ```\n", fill(step.run)));
  }
  if (!advice.prevent.empty()) help.text += "\n" + fill(advice.prevent);
  for (const std::string& link : advice.references) help.markdown += fmt::format("\n\n<{}>", link);
  return help;
}

Json rule_of(const Json& incident, const RuleSet& rules) {
  const std::string id(text_in(incident, "rule"));
  const Rule* rule = rules.find(id);
  const std::string title =
      rule ? fill_placeholders(rule->title, {}, {}, Unfilled::name) : std::string(text_in(incident, "title"));
  Json json = {{"id", id},
               {"shortDescription", {{"text", title.empty() ? id : title}}},
               {"defaultConfiguration",
                {{"level", level_of(rule ? to_string(rule->severity) : text_in(incident, "severity"))}}}};
  if (!rule) return json;
  const Help help = help_of(*rule);
  json["fullDescription"] = {{"text", help.text}};
  json["help"] = {{"text", help.text}, {"markdown", help.markdown}};
  if (!help.link.empty()) json["helpUri"] = help.link;
  json["properties"] = {{"tags", Json::array({id.substr(0, id.find('/'))})}};
  return json;
}

Json result_of(const Json& incident, std::size_t rule_index) {
  Json result = {{"ruleId", text_in(incident, "rule")},
                 {"ruleIndex", rule_index},
                 {"level", level_of(text_in(incident, "severity"))},
                 {"message", {{"text", message_of(incident)}}},
                 {"locations", locations_of(incident)},
                 {"partialFingerprints", {{"cutopsy/v1", text_in(incident, "fingerprint")}}},
                 {"occurrenceCount", std::max<std::uint64_t>(number_in(incident, "count"), 1)}};
  if (Json related = related_of(incident); !related.empty()) result["relatedLocations"] = std::move(related);
  if (incident.contains("known")) result["baselineState"] = flag_in(incident, "known") ? "unchanged" : "new";
  result["properties"] = {{"cases", number_in(incident, "cases")}, {"case_names", list_in(incident, "case_names")}};
  if (incident.contains("confidence")) result["properties"]["confidence"] = fraction_in(incident, "confidence");
  return result;
}

// Inputs that could not be read to their end.
Json notifications_of(const Json& document) {
  Json notifications = Json::array();
  for (const Json& input : list_in(document, "inputs")) {
    if (!input.contains("error")) continue;
    notifications.push_back({{"level", "error"}, {"message", {{"text", text_in(input, "error")}}}});
  }
  return notifications;
}

}  // namespace

std::string sarif_report(const Json& document, const RuleSet& rules) {
  Json rule_list = Json::array();
  Json results = Json::array();
  std::map<std::string, std::size_t, std::less<>> indices;
  for (const Json& incident : report_lines(document)) {
    const auto [entry, is_new] = indices.try_emplace(std::string(text_in(incident, "rule")), rule_list.size());
    if (is_new) rule_list.push_back(rule_of(incident, rules));
    results.push_back(result_of(incident, entry->second));
  }
  const Json& tool = object_in(document, "tool");
  Json run = {
      {"tool",
       {{"driver",
         {{"name", text_in(tool, "name")}, {"version", text_in(tool, "version")}, {"rules", std::move(rule_list)}}}}},
      {"invocations",
       Json::array({{{"executionSuccessful", true}, {"toolExecutionNotifications", notifications_of(document)}}})},
      {"columnKind", "utf16CodeUnits"},
      {"results", std::move(results)}};
  const Json log = {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({std::move(run)})}};
  return without_commands(dumped(log, 2), kInJson) + "\n";
}

}  // namespace cutopsy
