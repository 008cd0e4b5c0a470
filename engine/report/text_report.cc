#include "engine/report/text_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/report/incident_rows.h"
#include "engine/report/incident_text.h"
#include "engine/report/limits.h"
#include "engine/report/printable.h"
#include "engine/report/rate.h"
#include "engine/report/report_document.h"
#include "engine/report/runner_commands.h"
#include "engine/report/shown.h"

namespace cutopsy {
namespace {

constexpr std::size_t kRowsInFull = 20;  // the others get a line each

// "driver_version: 535.1 (node1), 570.2 (node2)"
std::string fact_text(const std::string& name, const Json& values) {
  std::string text;
  for (const Json& value : values) {
    const bool by_host = !list_in(value, "hosts").empty();
    std::string who;
    for (const Json& writer : list_in(value, by_host ? "hosts" : "ranks"))
      who += (who.empty() ? "" : " ") + writer.get<std::string>();
    const std::string_view kind = by_host ? "" : list_in(value, "ranks").size() == 1 ? "rank " : "ranks ";
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", text_in(value, "value"),
                        who.empty() ? shown_place(object_in(value, "where")) : fmt::format("{}{}", kind, who));
  }
  constexpr std::size_t kMaxFactBytes = 300;
  return printable(fmt::format("  {}: {}", name, text), kMaxFactBytes) + "\n";
}

// Facts that differ where all of the job should agree; `part` is the document, or one of its cases.
std::string disputed_facts(const Json& part, const std::string& heading, const TextStyle& style) {
  std::string text;
  for (const Json& name : list_in(part, "facts_disputed")) {
    const std::string fact = name.get<std::string>();
    text += fact_text(fact, list_in(object_in(part, "facts_differ"), fact.c_str()));
  }
  return text.empty() ? "" : heading_text(heading, style) + text;
}

std::string one_case(const Json& document, const TextStyle& style) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() || part.empty() ? "" : "\n") + part; };
  for (const Json& incident : list_in(document, "incidents")) add(incident_text(incident, style));
  std::string unknown;
  for (const Json& failure : list_in(document, "unknown")) unknown += "  " + unknown_text(failure, style) + "\n";
  if (!unknown.empty()) add(heading_text("Failed in a way that no rule knows", style) + unknown);
  add(disputed_facts(document, "Not the same everywhere", style));
  return text;
}

std::string row_text(const Json& row, std::uint64_t all_cases, const TextStyle& style) {
  const std::string dates = shown_dates(row);
  return heading_text(fmt::format("== {}: {} ==", shown_cases(row, all_cases), shown_case_names(row)), style) +
         (dates.empty() ? "" : dates + "\n") + incident_text(row, style) + "\n";
}

// "17 of 2,000 cases  fatal: title (rule)"
std::string brief_row(const Json& row, std::uint64_t all_cases) {
  return fmt::format("  {}  {}: {} ({})\n", shown_cases(row, all_cases), printable(text_in(row, "severity"), 20),
                     printable(text_in(row, "title"), 200), printable(text_in(row, "rule"), 100));
}

std::string unknown_row(const Json& row, std::uint64_t all_cases, const TextStyle& style) {
  return fmt::format("  {}: {}\n    {}\n", shown_cases(row, all_cases), shown_case_names(row),
                     unknown_text(row, style));
}

std::string several_cases(const Json& document, const TextStyle& style) {
  const std::uint64_t all_cases = case_count(document);
  std::string in_full, brief, unknown;
  std::size_t known_rows = 0;
  for (const Json& row : report_rows(document)) {
    if (text_in(row, "rule") == kUnknownRule) {
      unknown += unknown_row(row, all_cases, style);
    } else if (known_rows++ < kRowsInFull) {
      in_full += row_text(row, all_cases, style);
    } else {
      brief += brief_row(row, all_cases);
    }
  }
  std::string text = in_full;
  if (!brief.empty()) text += heading_text("In fewer cases", style) + brief + "\n";
  if (!unknown.empty()) text += heading_text("Failed in a way that no rule knows", style) + unknown + "\n";
  for (const Json& part : list_in(document, "cases")) {
    const Json& inputs = list_in(part, "inputs");
    const std::string name = inputs.empty() ? "" : printable(inputs[0].get<std::string>(), 200);
    if (text_in(part, "outcome") == "clean") continue;
    const std::string facts = disputed_facts(part, "Not the same everywhere in " + name, style);
    text += facts.empty() ? "" : facts + "\n";
  }
  return text;
}

// What a reader cannot see from the findings: how much was read, and where nothing was found.
std::string closing_line(const Json& document, bool found) {
  const Json& cases = list_in(document, "cases");
  std::uint64_t lines = 0;
  for (const Json& input : list_in(document, "inputs")) lines += number_in(input, "lines");
  if (cases.empty() && found) return "";
  const bool all_read = number_in(object_in(document, "statistics"), "unreadable_inputs") == 0;
  const std::string_view end = all_read ? "." : ", but not all could be read.";
  if (list_in(document, "inputs").empty()) return fmt::format("No failure found{}\n", end);
  if (cases.empty()) return fmt::format("No failure found in {}{}\n", counted(lines, "line"), end);
  if (!found)
    return fmt::format("No failure found in {} of {}{}\n", counted(cases.size(), "case"), counted(lines, "line"), end);
  std::vector<bool> has_finding(cases.size(), false);
  for (const char* list : {"incidents", "unknown"}) {
    for (const Json& finding : list_in(document, list)) has_finding[number_in(finding, "case")] = true;
  }
  return fmt::format("{}, {} of them without a finding{}\n", counted(cases.size(), "case"),
                     std::count(has_finding.begin(), has_finding.end(), false), end);
}

// "cases: 3 failure, 1 clean"
std::string parts_text(const Json& numbers) {
  std::string text;
  for (const auto& [name, number] : numbers.items()) {
    if (name == "total" || !number.is_number_unsigned() || number == 0u) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", grouped(number.get<std::uint64_t>()), printable(name, 40));
  }
  return text.empty() ? "none" : text;
}

std::string statistics_text(const Json& statistics, std::size_t fingerprints, const TextStyle& style) {
  const Json& cases = object_in(statistics, "cases");
  std::string text = heading_text("Statistics", style);
  text += fmt::format("  {}: {}\n", counted(number_in(cases, "total"), "case"), parts_text(cases));
  text += fmt::format("  incidents: {}; different ones: {}\n", parts_text(object_in(statistics, "incidents")),
                      grouped(fingerprints));
  text += fmt::format("  {}, {}, {}\n", counted(number_in(statistics, "inputs"), "input"),
                      counted(number_in(statistics, "bytes"), "byte"), counted(number_in(statistics, "lines"), "line"));
  if (const std::uint64_t unreadable = number_in(statistics, "unreadable_inputs"); unreadable > 0)
    text += fmt::format("  not read, or not to the end: {}\n", counted(unreadable, "input"));
  return text;
}

}  // namespace

std::string text_report(const Json& document, const TextStyle& style) {
  const bool is_one = !document.contains("groups");
  std::string report = is_one ? one_case(document, style) : several_cases(document, style);
  report += closing_line(document, !report.empty());
  const std::string bounds = limits_line(object_in(document, "limits"));
  if (!bounds.empty()) report += "\n" + bounds;
  if (style.statistics && document.contains("statistics")) {
    const std::size_t found = list_in(document, "incidents").size() + list_in(document, "unknown").size();
    const std::size_t fingerprints = is_one ? found : list_in(document, "groups").size();
    report += "\n" + statistics_text(document["statistics"], fingerprints, style);
  }
  return without_commands(report, kInText);
}

}  // namespace cutopsy
