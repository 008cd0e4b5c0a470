#include "engine/cli/report_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/program_options.hpp>
#include <cstdlib>

#include "engine/cli/option_value.h"
#include "engine/report/json_report.h"
#include "engine/report/report_document.h"
#include "engine/report/text_report.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;

bool wants_colour(const std::string& colour, int descriptor) {
  if (colour != "auto") return colour == "always";
  const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org
  return isatty(descriptor) && !(no_colour && *no_colour);
}

}  // namespace

void ReportOptions::add_to(po::options_description& options) {
  auto add = options.add_options();
  add("format", po::value(&format)->value_name("text|json|jsonl"), "form of the report (default: text)");
  add("color", po::value(&colour)->value_name("auto|always|never"),
      "colours; auto: on a terminal and without NO_COLOR");
  add("why", po::bool_switch(&why), "show how each finding follows from the root cause, line by line");
  add("rules", po::value(&rules)->value_name("PATH"),
      "add the rules of a file or folder; they replace built-in ones of the same id (repeatable)");
}

bool ReportOptions::are_valid() const {
  return is_one_of("format", format, {"text", "json", "jsonl"}) &&
         is_one_of("color", colour, {"auto", "always", "never"});
}

std::string ReportOptions::render(const Batch& batch, const RuleSet& rule_set, int descriptor) const {
  const Json document = report_document(batch, rule_set);
  if (format == "json") return json_report(document);
  if (format == "jsonl") return json_lines_report(document);
  TextStyle style;
  style.colour = wants_colour(colour, descriptor);
  style.why = why;
  return text_report(document, style);
}

}  // namespace cutopsy
