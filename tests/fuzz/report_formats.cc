#include "tests/fuzz/report_formats.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <string>

#include "engine/report/github_report.h"
#include "engine/report/json_report.h"
#include "engine/report/junit_report.h"
#include "engine/report/markdown_report.h"
#include "engine/report/printable.h"
#include "engine/report/redaction.h"
#include "engine/report/report_lines_reader.h"
#include "engine/report/sarif_report.h"
#include "engine/report/text_report.h"
#include "tests/fuzz/property.h"

namespace cutopsy {
namespace {

// Nothing in it can move a cursor, recolour a terminal or hide text.
void check_harmless(const std::string& text, std::string_view format) {
  require_equal(printable_lines(text, text.size()), text,
                std::string("no control codes in format ") + std::string(format));
}

void check_json(const std::string& text, const Json& document) {
  const Json again = Json::parse(text, nullptr, false);
  require(!again.is_discarded(), "a JSON report is JSON", text);
  require_equal(dumped(again), dumped(document), "a JSON report says what the document says");
}

void check_json_lines(const std::string& text) {
  for_each_line_of(text, [](std::string_view line, std::uint64_t) {
    const auto value = read_json(line);
    require(value && value->is_object(), "each of the JSON Lines is an object of JSON", line);
  });
}

// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
void check_github(const std::string& text) {
  for_each_line_of(text, [](std::string_view line, std::uint64_t) {
    const bool is_command =
        line.starts_with("::error ") || line.starts_with("::warning ") || line.starts_with("::notice ");
    require(is_command, "each line is a workflow command", line);
    require(line.find('\r') == line.npos, "no line has a return", line);
  });
}

void check_junit(const std::string& text) {
  pugi::xml_document xml;
  const pugi::xml_parse_result result = xml.load_buffer(text.data(), text.size());
  require(bool(result), "a JUnit report is XML", text);
}

}  // namespace

void check_formats(const Json& document, const RuleSet& rules) {
  check_json(json_report(document), document);
  check_json_lines(json_lines_report(document, true));
  for (const bool why : {false, true})
    check_harmless(text_report(document, {.why = why, .statistics = true, .width = why ? 40u : 100u}), "text");
  text_report(document, {.colour = true});
  const std::string markdown = markdown_report(document);
  check_harmless(markdown, "markdown");
  require(markdown.size() <= kMaxMarkdownBytes, "a Markdown report is no longer than GitHub takes");
  require(markdown.find("<script") == markdown.npos, "no script in Markdown", markdown);
  check_github(github_report(document));
  check_junit(junit_report(document));
  require(!Json::parse(sarif_report(document, rules), nullptr, false).is_discarded(), "a SARIF report is JSON");

  Json redacted_once = document;
  redact(redacted_once);
  Json redacted_twice = redacted_once;
  redact(redacted_twice);
  require_equal(dumped(redacted_twice), dumped(redacted_once), "redacting twice changes nothing more");
}

}  // namespace cutopsy
