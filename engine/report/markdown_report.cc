#include "engine/report/markdown_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "engine/report/incident_rows.h"
#include "engine/report/printable.h"
#include "engine/report/report_document.h"
#include "engine/report/runner_commands.h"
#include "engine/report/shown.h"

namespace cutopsy {
namespace {

constexpr std::size_t kMaxProseBytes = 8192, kMaxLineBytes = 300, kRowsInTable = 500, kRowsInFull = 50;

// Text that stays text: https://github.github.com/gfm/#backslash-escapes, and no element of HTML, no mention.
std::string plain(std::string_view text, std::size_t max_bytes = kMaxProseBytes) {
  constexpr std::string_view kMarkup = "\\`*_{}[]()#+-!|~>";
  std::string out;
  for (const char c : printable(text, max_bytes)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '@') {
      out += "&#64;";
    } else {
      if (kMarkup.find(c) != kMarkup.npos) out += '\\';
      out += c;
    }
  }
  return out;
}

// The longest run of backticks in the text decides how many open and close it.
std::string ticks_for(std::string_view text, std::size_t at_least) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max(at_least, longest + 1), '`');
}

std::string code_block(std::string_view text) {
  const std::string ticks = ticks_for(text, 3);
  return fmt::format("{}text\n{}\n{}\n", ticks, text, ticks);
}

std::string code_span(std::string_view text) {
  const std::string shown = printable(text, kMaxLineBytes);
  const std::string ticks = ticks_for(shown, 1);
  // A pipe ends a cell of a table even inside of code.
  std::string cell;
  for (const char c : shown) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return fmt::format("{} {} {}", ticks, cell, ticks);
}

std::string evidence_of(const Json& row) {
  std::string text;
  const Json& context = list_in(row, "context");
  if (!context.empty()) text += printable(text_in(object_in(row, "where"), "input"), kMaxLineBytes) + "\n";
  for (const Json& line : context) {
    const bool is_it = number_in(line, "line") == number_in(object_in(row, "where"), "line");
    text += fmt::format("{} {:>6}  {}\n", is_it ? ">" : " ", number_in(line, "line"),
                        printable(text_in(line, "text"), kMaxLineBytes));
  }
  if (context.empty()) {
    for (const Json& line : list_in(row, "evidence"))
      text += fmt::format("{} {}\n", shown_place(line), printable(text_in(line, "text"), kMaxLineBytes));
  }
  if (text.empty()) return "";
  text.pop_back();
  return code_block(text);
}

std::string steps_of(const Json& row) {
  std::string text;
  int number = 0;
  for (const Json& step : list_in(row, "fix")) {
    text += fmt::format("{}. {}\n", ++number, plain(text_in(step, "do")));
    const std::string_view run = text_in(step, "run");
    if (run.empty()) continue;
    const std::string command = printable(run, kMaxProseBytes);
    const std::string ticks = ticks_for(command, 3);
    text += fmt::format("\n   {}sh\n   {}\n   {}\n\n", ticks, command, ticks);
  }
  return text;
}

std::string row_in_full(const Json& row, std::uint64_t all_cases, bool is_one_case) {
  std::string text = fmt::format("### {}: {}\n\n", plain(text_in(row, "severity")), plain(text_in(row, "title")));
  std::string about = code_span(text_in(row, "rule"));
  if (row.contains("confidence")) about += fmt::format(", {:.0f}% sure", fraction_in(row, "confidence") * 100);
  const std::string cases =
      is_one_case ? "" : fmt::format("{}: {}", shown_cases(row, all_cases), shown_case_names(row));
  for (const std::string& more : {shown_repeats(row), shown_ranks(row), cases, shown_dates(row)})
    about += more.empty() ? "" : ", " + plain(more);
  if (flag_in(row, "known")) about += ", known from the baseline";
  text += about + "\n\n" + evidence_of(row) + "\n";
  if (const auto cause = text_in(row, "cause"); !cause.empty()) text += plain(cause) + "\n\n";
  if (const std::string steps = steps_of(row); !steps.empty()) text += "**What to do**\n\n" + steps + "\n";
  for (const Json& link : list_in(row, "references")) {
    const std::string url = link.is_string() ? printable(link.get_ref<const std::string&>(), kMaxLineBytes) : "";
    if (url.starts_with("https://") && url.find_first_of(" <>") == url.npos) text += fmt::format("<{}>\n", url);
  }
  return text + "\n";
}

std::string table_of(const std::vector<Json>& rows) {
  std::string table = "| cases | severity | what | rule | first in |\n| ---: | --- | --- | --- | --- |\n";
  const std::size_t shown = std::min(rows.size(), kRowsInTable);
  for (std::size_t i = 0; i < shown; ++i) {
    const Json& row = rows[i];
    const bool is_unknown = text_in(row, "rule") == kUnknownRule;
    table +=
        fmt::format("| {} | {}{} | {} | {} | {} |\n", number_in(row, "cases"), plain(text_in(row, "severity"), 20),
                    flag_in(row, "known") ? " (known)" : "",
                    is_unknown ? code_span(text_in(row, "signature")) : plain(text_in(row, "title"), kMaxLineBytes),
                    code_span(text_in(row, "rule")), code_span(shown_place(object_in(row, "where"))));
  }
  if (shown < rows.size()) table += fmt::format("\nand {} more\n", rows.size() - shown);
  return table;
}

std::string heading_of(const Json& document, std::size_t rows) {
  const std::uint64_t cases = case_count(document);
  const std::string read = cases > 1 ? fmt::format(" in {}", counted(cases, "case")) : "";
  if (rows == 0) return fmt::format("## cutopsy: no failure found{}\n\n", read);
  return fmt::format("## cutopsy: {}{}\n\n", counted(rows, "different fault"), read);
}

}  // namespace

std::string markdown_report(const Json& document) {
  const std::vector<Json> rows = report_rows(document);
  const bool is_one_case = !document.contains("groups");
  std::string report = heading_of(document, rows.size());
  if (rows.size() > 1) report += table_of(rows) + "\n";
  std::size_t shown = 0;
  for (; shown < std::min(rows.size(), kRowsInFull); ++shown) {
    const std::string part = row_in_full(rows[shown], case_count(document), is_one_case);
    if (report.size() + part.size() > kMaxMarkdownBytes) break;
    report += part;
  }
  if (shown < rows.size()) report += fmt::format("{} more stand in the table only.\n", rows.size() - shown);
  return without_commands(report, kInText);
}

}  // namespace cutopsy
