#include "engine/cli/diagnose_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "engine/cli/rule_options.h"
#include "engine/pipeline.h"
#include "engine/report/json_report.h"
#include "engine/report/text_report.h"
#include "engine/source/input.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;

struct Request {
  std::vector<std::string> inputs;
  std::vector<std::string> rules;
  std::string format = "text";
  std::string colour = "auto";
  std::string fail_on = "error";
  bool no_scan = false;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  auto add = options.add_options();
  add("format", po::value(&request.format)->value_name("text|json|jsonl"), "form of the report (default: text)");
  add("color", po::value(&request.colour)->value_name("auto|always|never"),
      "colours; auto: on a terminal and without NO_COLOR");
  add("fail-on", po::value(&request.fail_on)->value_name("fatal|error|warning|never"),
      "exit with 1 from this severity on (default: error)");
  add("rules", po::value(&request.rules)->value_name("PATH"),
      "add the rules of a file or folder; they replace built-in ones of the same id (repeatable)");
  add("no-scan", po::bool_switch(&request.no_scan), "show every line to every rule: slow, the report is the same");
  return options;
}

bool one_of(const std::string& option, const std::string& value, const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return true;
  fmt::print(stderr, "cutopsy: --{}: '{}' is not one of {}\n", option, value, fmt::join(allowed, ", "));
  return false;
}

std::optional<Request> parse(const std::vector<std::string>& arguments) {
  Request request;
  po::options_description all;
  all.add(visible_options(request));
  all.add_options()("input", po::value(&request.inputs));
  po::positional_options_description positional;
  positional.add("input", -1);
  try {
    po::variables_map values;
    po::store(po::command_line_parser(arguments).options(all).positional(positional).run(), values);
    po::notify(values);
  } catch (const po::error& error) {
    fmt::print(stderr, "cutopsy: {}; see cutopsy --help\n", error.what());
    return std::nullopt;
  }
  bool valid = one_of("format", request.format, {"text", "json", "jsonl"}) &&
               one_of("color", request.colour, {"auto", "always", "never"}) &&
               one_of("fail-on", request.fail_on, {"fatal", "error", "warning", "never"});
  if (!valid) return std::nullopt;
  if (request.inputs.empty()) {
    if (isatty(STDIN_FILENO)) {
      fmt::print(stderr, "cutopsy: nothing to read; name a log file, or pipe one: python train.py 2>&1 | cutopsy\n");
      return std::nullopt;
    }
    request.inputs.push_back("-");
  }
  return request;
}

bool wants_colour(const std::string& colour) {
  if (colour != "auto") return colour == "always";
  const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org
  return isatty(STDOUT_FILENO) && !(no_colour && *no_colour);
}

// Reads all inputs into the case; false when one could not be read in full.
bool read_inputs(const Request& request, Case& job) {
  bool all_read = true;
  for (const std::string& name : request.inputs) {
    try {
      auto source = open_input(name);
      job.add(name, *source);
    } catch (const SourceError& error) {
      fmt::print(stderr, "cutopsy: {}\n", error.what());
      all_read = false;
    }
  }
  return all_read;
}

bool reached(const Diagnosis& diagnosis, const std::string& fail_on) {
  if (fail_on == "never") return false;
  Severity threshold = fail_on == "fatal" ? Severity::fatal : fail_on == "error" ? Severity::error : Severity::warning;
  bool unknown = !diagnosis.unknown.empty() && threshold <= Severity::error;
  return unknown || std::any_of(diagnosis.incidents.begin(), diagnosis.incidents.end(),
                                [&](const Incident& incident) { return incident.severity >= threshold; });
}

}  // namespace

std::string diagnose_help() {
  Request request;
  std::ostringstream text;
  text << visible_options(request);
  return text.str();
}

int run_diagnose_command(const std::vector<std::string>& arguments) {
  auto request = parse(arguments);
  if (!request) return 2;
  RuleSet rules;
  if (!load_rule_options(request->rules, rules)) return 2;
  RuleIndex index(rules);
  Case job(index, {.scan = !request->no_scan});
  bool all_read = read_inputs(*request, job);
  Analysis analysis = job.finish();
  for (const InputSummary& input : analysis.inputs) {
    if (input.error.empty()) continue;
    fmt::print(stderr, "cutopsy: {}\n", input.error);
    all_read = false;
  }
  if (analysis.inputs.empty()) return 2;
  std::string report = request->format == "json"    ? json_report(analysis, index.rules())
                       : request->format == "jsonl" ? json_lines_report(analysis)
                                                    : text_report(analysis, {.colour = wants_colour(request->colour)});
  bool written = std::fwrite(report.data(), 1, report.size(), stdout) == report.size() && std::fflush(stdout) == 0;
  if (!written) {
    fmt::print(stderr, "cutopsy: the report could not be written to standard output\n");
    return 2;
  }
  if (!all_read) return 2;
  return reached(analysis.diagnosis, request->fail_on) ? 1 : 0;
}

}  // namespace cutopsy
