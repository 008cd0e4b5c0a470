#include "engine/cli/report_formats.h"

#include <algorithm>

#include "engine/report/github_report.h"
#include "engine/report/json_report.h"
#include "engine/report/junit_report.h"
#include "engine/report/markdown_report.h"
#include "engine/report/sarif_report.h"

namespace cutopsy {
namespace {

struct Format {
  const char* name;
  std::string (*write)(const Json&, const RuleSet&, const TextStyle&);
};

constexpr Format kFormats[] = {
    {"text", [](const Json& document, const RuleSet&, const TextStyle& style) { return text_report(document, style); }},
    {"json", [](const Json& document, const RuleSet&, const TextStyle&) { return json_report(document); }},
    {"jsonl", [](const Json& document, const RuleSet&,
                 const TextStyle& style) { return json_lines_report(document, style.statistics); }},
    {"sarif",
     [](const Json& document, const RuleSet& rules, const TextStyle&) { return sarif_report(document, rules); }},
    {"junit", [](const Json& document, const RuleSet&, const TextStyle&) { return junit_report(document); }},
    {"github", [](const Json& document, const RuleSet&, const TextStyle&) { return github_report(document); }},
    {"markdown", [](const Json& document, const RuleSet&, const TextStyle&) { return markdown_report(document); }},
};

}  // namespace

std::vector<std::string> report_formats() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.push_back(format.name);
  return names;
}

std::string report_in(const std::string& format, const Json& document, const RuleSet& rules, const TextStyle& style) {
  return std::ranges::find(kFormats, format, &Format::name)->write(document, rules, style);
}

}  // namespace cutopsy
