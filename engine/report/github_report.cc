#include "engine/report/github_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "engine/report/incident_rows.h"
#include "engine/report/printable.h"
#include "engine/report/report_document.h"
#include "engine/report/runner_commands.h"
#include "engine/report/shown.h"

namespace cutopsy {
namespace {

constexpr std::size_t kMaxTitleBytes = 200, kMaxMessageBytes = 4000;

// https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts
std::string escaped(std::string_view text, bool is_property) {
  std::string out;
  for (const char c : without_commands(text, kInText)) {
    if (c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','))) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::string_view level_of(const Json& finding) {
  if (flag_in(finding, "known")) return "notice";
  const int rank = severity_rank(text_in(finding, "severity"));
  return rank >= severity_rank("error") ? "error" : rank == severity_rank("warning") ? "warning" : "notice";
}

std::string message_of(const Json& finding, std::uint64_t all_cases) {
  std::string message;
  if (number_in(finding, "cases") > 1 || all_cases > 1)
    message += fmt::format("{}: {}\n", shown_cases(finding, all_cases), shown_case_names(finding));
  const Json& evidence = list_in(finding, "evidence");
  if (!evidence.empty()) message += fmt::format("{}\n", text_in(evidence[0], "text"));
  if (const std::string_view cause = text_in(finding, "cause"); !cause.empty()) message += fmt::format("\n{}\n", cause);
  int number = 0;
  for (const Json& step : list_in(finding, "fix")) message += fmt::format("{}. {}\n", ++number, text_in(step, "do"));
  while (message.ends_with('\n')) message.pop_back();
  return printable_lines(message, kMaxMessageBytes);
}

std::string annotation(const Json& finding, std::uint64_t all_cases) {
  const Json& where = object_in(finding, "where");
  const std::string_view file = text_in(where, "input");
  std::string properties;
  if (!file.empty() && file != "-") {
    properties += fmt::format("file={},", escaped(printable(file, 1000), true));
    if (const std::uint64_t line = number_in(where, "line"); line > 0) properties += fmt::format("line={},", line);
  }
  const std::string title = fmt::format("{} ({})", text_in(finding, "title"), text_in(finding, "rule"));
  return fmt::format("::{} {}title={}::{}\n", level_of(finding), properties,
                     escaped(printable(title, kMaxTitleBytes), true), escaped(message_of(finding, all_cases), false));
}

}  // namespace

std::string github_report(const Json& document) {
  const std::uint64_t all_cases = case_count(document);
  const std::vector<Json> rows = report_rows(document);
  std::string commands;
  for (const std::string_view level : {"error", "warning", "notice"}) {
    std::vector<const Json*> of_level;
    for (const Json& row : rows) {
      if (level_of(row) == level) of_level.push_back(&row);
    }
    const bool all_fit = of_level.size() <= kMaxAnnotations;
    const std::size_t shown = all_fit ? of_level.size() : kMaxAnnotations - 1;
    for (std::size_t i = 0; i < shown; ++i) commands += annotation(*of_level[i], all_cases);
    if (!all_fit)
      commands +=
          fmt::format("::{} title=cutopsy::and {} more; the full report names them\n", level, of_level.size() - shown);
  }
  return commands;
}

}  // namespace cutopsy
