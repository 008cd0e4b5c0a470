#include "engine/cli/diagnose_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <optional>
#include <sstream>

#include "engine/batch.h"
#include "engine/cli/output.h"
#include "engine/cli/report_options.h"
#include "engine/cli/rule_options.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;

struct Request {
  std::vector<std::string> inputs;
  ReportOptions report;
  std::string fail_on = "error";
  bool together = false;
  bool separate = false;
  bool no_scan = false;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  request.report.add_to(options);
  auto add = options.add_options();
  add("fail-on", po::value(&request.fail_on)->value_name("fatal|error|warning|never"),
      "exit with 1 from this severity on (default: error)");
  add("together", po::bool_switch(&request.together), "take all inputs for one case");
  add("separate", po::bool_switch(&request.separate), "take each input for a case of its own");
  add("no-scan", po::bool_switch(&request.no_scan), "show every line to every rule: slow, the report is the same");
  return options;
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
  const bool valid =
      request.report.are_valid() && is_one_of("fail-on", request.fail_on, {"fatal", "error", "warning", "never"});
  if (!valid) return std::nullopt;
  if (request.together && request.separate) {
    fmt::print(stderr, "cutopsy: --together and --separate exclude each other; give one of them\n");
    return std::nullopt;
  }
  if (request.inputs.empty()) {
    if (isatty(STDIN_FILENO)) {
      fmt::print(stderr, "cutopsy: nothing to read; name a log file, or pipe one: python train.py 2>&1 | cutopsy\n");
      return std::nullopt;
    }
    request.inputs.push_back("-");
  }
  return request;
}

Grouping grouping_of(const Request& request) {
  if (request.together) return Grouping::together;
  return request.separate ? Grouping::separate : Grouping::automatic;
}

// Files that were left out, so that nobody takes silence for health.
void print_skipped(const Batch& batch) {
  if (batch.skipped.empty()) return;
  std::string reasons;
  for (const auto& [reason, count] : batch.skipped) {
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", count, reason);
  }
  fmt::print(stderr, "cutopsy: skipped in folders: {}; a file that is named is always read\n", reasons);
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
  if (!load_rule_options(request->report.rules, rules)) return 2;
  RuleIndex index(rules);
  const InputList list = list_inputs(request->inputs);
  const Batch batch = analyse_inputs(index, list, {.scan = !request->no_scan, .grouping = grouping_of(*request)});
  for (const std::string& error : batch.errors) fmt::print(stderr, "cutopsy: {}\n", error);
  print_skipped(batch);
  if (batch.cases.empty()) return 2;
  if (print_result(request->report.render(batch, index.rules(), STDOUT_FILENO), 0) != 0) return 2;
  if (!batch.errors.empty()) return 2;
  return std::any_of(batch.cases.begin(), batch.cases.end(),
                     [&](const Analysis& analysis) { return reached(analysis.diagnosis, request->fail_on); })
             ? 1
             : 0;
}

}  // namespace cutopsy
