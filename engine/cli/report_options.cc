#include "engine/cli/report_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include "engine/cli/option_value.h"
#include "engine/cli/report_formats.h"
#include "engine/live/whole_file.h"
#include "engine/report/incident_rows.h"
#include "engine/report/message.h"
#include "engine/report/redaction.h"
#include "engine/source/byte_source.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;

bool wants_colour(const std::string& colour, int descriptor) {
  if (colour != "auto") return colour == "always";
  const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org
  return isatty(descriptor) && !(no_colour && *no_colour);
}

struct Output {
  std::string format, file;
};

Output output_of(const std::string& option) {
  const std::size_t equals = std::min(option.find('='), option.size());
  return {option.substr(0, equals), equals < option.size() ? option.substr(equals + 1) : ""};
}

bool is_valid_output(const std::string& option) {
  const Output output = output_of(option);
  if (output.file.empty()) {
    print_message("cutopsy: --output: '{}' names no file; write FORMAT=FILE, e.g. --output sarif=report.sarif\n",
                  option);
    return false;
  }
  if (output.file == "-") {
    print_message("cutopsy: --output {}: the report on standard output has its form by --format\n", option);
    return false;
  }
  return is_one_of("output", output.format, report_formats());
}

// Each file is written as a whole: of two reports one would be lost.
bool are_different_files(const std::vector<std::string>& outputs) {
  std::set<std::string> files;
  for (const std::string& option : outputs) {
    const std::string file = output_of(option).file;
    if (files.insert(file).second || file == "/dev/null") continue;
    print_message("cutopsy: --output: {} is named twice; give each report a file of its own\n", file);
    return false;
  }
  return true;
}

}  // namespace

void ReportOptions::add_to(po::options_description& options) {
  auto add = options.add_options();
  add("format", po::value(&format)->value_name("FORMAT"),
      fmt::format("form of the report: {} (default: {})", fmt::join(report_formats(), ", "), format).c_str());
  add("output", po::value(&outputs)->value_name("FORMAT=FILE"),
      "write the report to a file too, as a whole or not at all (repeatable)");
  add("color", po::value(&colour)->value_name("auto|always|never"),
      "colours; auto: on a terminal and without NO_COLOR");
  add("why", po::bool_switch(&why), "show how each finding follows from the root cause, line by line");
  add("statistics", po::bool_switch(&statistics), "close with how much was read and what came of it");
  add("redact", po::bool_switch(&redact),
      "mask tokens, e-mail addresses, names in home folders and network addresses in the report");
  add("baseline", po::value(&baseline_file)->value_name("FILE"),
      "an earlier report (json, jsonl): what stands in it is known and does not decide the exit status");
  add("rules", po::value(&rules)->value_name("PATH"),
      "add the rules of a file or folder; they replace built-in ones of the same id (repeatable)");
}

bool ReportOptions::prepare() {
  if (!is_one_of("format", format, report_formats()) || !is_one_of("color", colour, {"auto", "always", "never"}) ||
      !std::ranges::all_of(outputs, is_valid_output) || !are_different_files(outputs))
    return false;
  if (baseline_file.empty()) return true;
  try {
    baseline.emplace(baseline_file);
  } catch (const SourceError& error) {
    print_message("cutopsy: --baseline: {}\n", error.what());
    return false;
  }
  return true;
}

bool ReportOptions::spare(const std::string& path) const {
  const auto is_same = [&](const std::string& option) {
    const std::string file = output_of(option).file;
    std::error_code error;  // of files that do not exist
    return file == path || std::filesystem::equivalent(file, path, error);
  };
  if (std::ranges::none_of(outputs, is_same)) return true;
  print_message("cutopsy: --output would overwrite {}; give the report a file of its own\n", path);
  return false;
}

void ReportOptions::finish(Json& document) const {
  if (baseline) baseline->mark(document);
  if (redact) cutopsy::redact(document);
}

bool ReportOptions::write_files(const Json& document, const RuleSet& rule_set) const {
  TextStyle style;
  style.colour = colour == "always";
  style.why = why;
  style.statistics = statistics;
  bool all_written = true;
  for (const std::string& option : outputs) {
    const Output output = output_of(option);
    const std::string error = write_whole_file(output.file, report_in(output.format, document, rule_set, style));
    if (error.empty()) continue;
    print_message("cutopsy: --output {}: {}; nothing was written there\n", output.file, error);
    all_written = false;
  }
  return all_written;
}

std::string ReportOptions::render(const Json& document, const RuleSet& rule_set, int descriptor) const {
  TextStyle style;
  style.colour = wants_colour(colour, descriptor);
  style.why = why;
  style.statistics = statistics;
  return report_in(format, document, rule_set, style);
}

bool is_reached(const std::string& fail_on, const Json& document) {
  return fail_on != "never" && severity_rank(worst_new(document)) >= severity_rank(fail_on);
}

}  // namespace cutopsy
