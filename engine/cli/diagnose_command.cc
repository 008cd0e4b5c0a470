#include "engine/cli/diagnose_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <csignal>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "engine/batch.h"
#include "engine/cli/check_options.h"
#include "engine/cli/follow_command.h"
#include "engine/cli/option_value.h"
#include "engine/cli/output.h"
#include "engine/cli/report_options.h"
#include "engine/cli/rule_options.h"
#include "engine/live/pipe_source.h"
#include "engine/live/progress_bar.h"
#include "engine/live/signal_watch.h"
#include "engine/live/write_all.h"
#include "engine/report/context.h"
#include "engine/report/message.h"
#include "engine/report/printable.h"
#include "engine/report/report_document.h"
#include "engine/source/interruption.h"
#include "engine/worker_threads.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;

constexpr int kMaxJobs = 1024;
constexpr int kContextOfRows = -1;  // no --context: some lines around the sample of each row, none elsewhere
constexpr int kMaxContext = 100;

struct Request {
  std::vector<std::string> inputs;
  ReportOptions report;
  std::string fail_on = "error";
  int context = kContextOfRows;
  bool together = false;
  bool separate = false;
  bool no_scan = false;
  bool tee = false;
  bool live = false;
  bool follow = false;
  std::string metrics;
  ConfirmRequest confirm;
  int jobs = 0;  ///< 0: one for each core
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  request.report.add_to(options);
  auto add = options.add_options();
  add("fail-on", po::value(&request.fail_on)->value_name("fatal|error|warning|never"),
      "exit with 1 from this severity on (default: error)");
  add("context", po::value(&request.context)->value_name("N"),
      "show N lines of the log before and after each fault (default: 2 where several cases are reported in rows)");
  add("together", po::bool_switch(&request.together), "take all inputs for one case");
  add("separate", po::bool_switch(&request.separate), "take each input for a case of its own");
  add("tee", po::bool_switch(&request.tee),
      "pass standard input on to standard output, unchanged and at once; the report goes to standard error");
  add("live", po::bool_switch(&request.live), "show each finding as soon as it is read, the report at the end");
  add("follow", po::bool_switch(&request.follow),
      "watch files that are still written, as tail -F does; a line of JSON for each fault as it comes");
  add("metrics", po::value(&request.metrics)->value_name("FILE"),
      "with --follow: keep counts for Prometheus in a file");
  add("jobs", po::value(&request.jobs)->value_name("N"),
      "threads that read inputs (default: one for each core); the report is the same");
  add("no-scan", po::bool_switch(&request.no_scan), "show every line to every rule: slow, the report is the same");
  request.confirm.add_to(options);
  return options;
}

/// Options that do not go together, or null.
const char* mistake_in(const Request& request) {
  const bool only_stdin = request.inputs.empty() || request.inputs == std::vector<std::string>{"-"};
  if (request.together && request.separate) return "--together and --separate exclude each other; give one of them";
  if (request.tee && !only_stdin) return "--tee passes standard input on; name no files beside it";
  if (request.follow && (request.tee || request.live))
    return "--follow tells findings as they come; leave out --tee and --live";
  if (request.follow && request.inputs.empty()) return "--follow: name the files, or - for a pipe";
  if (request.follow && request.confirm.confirm)
    return "--follow tells findings as they come; run cutopsy check beside it";
  if (request.jobs < 0 || request.jobs > kMaxJobs) return "--jobs takes a number from 1 to 1024, or 0 for all cores";
  if (request.follow && !(request.report.outputs.empty() && request.report.baseline_file.empty()))
    return "--follow writes no report; leave out --output and --baseline";
  if (request.report.redact && (request.follow || request.live))
    return "--redact masks the report only; leave out --follow and --live, which show lines as they are";
  if (request.context < kContextOfRows || request.context > kMaxContext) return "--context takes a number up to 100";
  if (!request.metrics.empty() && !request.follow) return "--metrics goes with --follow";
  return nullptr;
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
    print_message("cutopsy: {}; see cutopsy --help\n", error.what());
    return std::nullopt;
  }
  const bool valid = request.report.prepare() && is_one_of("fail-on", request.fail_on, kFailOnValues);
  if (!valid || !request.confirm.is_valid()) return std::nullopt;
  const auto is_spared = [&](const std::string& input) { return request.report.spare(input); };
  if (!std::ranges::all_of(request.inputs, is_spared)) return std::nullopt;
  if (const char* mistake = mistake_in(request)) {
    print_message("cutopsy: {}\n", mistake);
    return std::nullopt;
  }
  if (request.inputs.empty()) {
    if (isatty(STDIN_FILENO)) {
      print_message("cutopsy: nothing to read; name a log file, or pipe one: python train.py 2>&1 | cutopsy\n");
      return std::nullopt;
    }
    request.inputs.push_back("-");
  }
  return request;
}

void show_live(const Finding& finding) {
  const bool told =
      finding.rule && finding.role == Role::cause && finding.severity >= Severity::warning && !finding.quoted;
  if (!told) return;
  constexpr std::size_t kMaxTextBytes = 200;
  print_message("cutopsy: line {}: {}: {} ({})\n  {}\n", finding.where.line, to_string(finding.severity),
                finding.rule->title, finding.rule->id, printable(finding.text, kMaxTextBytes));
}

Json document_of(const Request& request, const Batch& batch, const RuleSet& rules) {
  constexpr std::size_t kLinesAroundSample = 2;
  Json document = report_document(batch, rules);
  if (request.context > 0) add_context(document, static_cast<std::size_t>(request.context));
  if (request.context == kContextOfRows) add_context_to_rows(document, kLinesAroundSample);
  request.report.finish(document);
  return document;
}

/// The exit status of the command.
int write_report(const Request& request, const Batch& batch, const RuleSet& rules) {
  const Json document = document_of(request, batch, rules);
  const bool files_written = request.report.write_files(document, rules);
  const int to = request.tee ? STDERR_FILENO : STDOUT_FILENO;
  const std::string report = request.report.render(document, rules, to);
  const int failed = to == STDOUT_FILENO ? print_result(report, 0) : (write_all(to, report) ? 0 : 2);
  if (failed != 0) return failed;
  if (!files_written || !batch.errors.empty()) return 2;
  return is_reached(request.fail_on, document) ? 1 : 0;
}

Grouping grouping_of(const Request& request) {
  if (request.together) return Grouping::together;
  return request.separate ? Grouping::separate : Grouping::automatic;
}

// With --live, findings come in the order of the inputs.
unsigned jobs_of(const Request& request) {
  if (request.live) return 1;
  return request.jobs > 0 ? static_cast<unsigned>(request.jobs) : available_cores();
}

BatchOptions batch_options(const Request& request) {
  BatchOptions options;
  options.reading.read.scan = !request.no_scan;
  options.reading.jobs = jobs_of(request);
  if (request.live) options.reading.read.on_finding = show_live;
  options.grouping = grouping_of(request);
  return options;
}

Batch analyse(const Request& request, const RuleIndex& index, const InputList& list, BatchOptions options) {
  BatchProgress progress;
  options.reading.progress = &progress;
  if (request.live || request.tee) return analyse_inputs(index, list, options);  // they write on the terminal
  const ProgressBar bar(progress);
  return analyse_inputs(index, list, options);
}

Batch analyse_files(const Request& request, const RuleIndex& index, const InputList& list) {
  const Interruption interruption;
  return analyse(request, index, list, batch_options(request));
}

// A signal ends the reading of the pipe, not the program.
Batch analyse_with_pipe(const Request& request, const RuleIndex& index, const InputList& list) {
  SignalWatch signals({SIGINT, SIGTERM});
  BatchOptions options = batch_options(request);
  const int to = request.tee ? STDOUT_FILENO : -1;
  options.reading.open_stdin = [&signals, to] { return std::make_unique<PipeSource>(signals, to); };
  Batch batch = analyse(request, index, list, std::move(options));
  while (signals.next()) {  // a second Ctrl-C while the first one's reading ended
  }
  return batch;
}

// Files that were left out, so that nobody takes silence for health.
void print_skipped(const Batch& batch) {
  if (batch.skipped.empty()) return;
  std::string reasons;
  for (const auto& [reason, count] : batch.skipped) {
    reasons += fmt::format("{}{} {}", reasons.empty() ? "" : ", ", count, reason);
  }
  print_message("cutopsy: skipped in folders and archives: {}; a file that is named is always read\n", reasons);
}

void print_errors(const std::vector<std::string>& errors) {
  constexpr std::size_t kShown = 20;
  constexpr std::size_t kMaxErrorBytes = 1000;
  for (std::size_t i = 0; i < std::min(errors.size(), kShown); ++i) {
    print_message("cutopsy: {}\n", printable(errors[i], kMaxErrorBytes));
  }
  if (errors.size() > kShown) print_message("cutopsy: and {} more inputs like these\n", errors.size() - kShown);
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
  if (request->follow) return follow(request->inputs, request->metrics, index);
  const InputList list = list_inputs(request->inputs, jobs_of(*request));
  const bool reads_pipe = std::ranges::find(request->inputs, "-") != request->inputs.end();
  Batch batch = reads_pipe ? analyse_with_pipe(*request, index, list) : analyse_files(*request, index, list);
  print_errors(batch.errors);
  print_skipped(batch);
  const bool can_report = !batch.cases.empty() && request->confirm.apply(batch, index.rules());
  const int status = can_report ? write_report(*request, batch, index.rules()) : 2;
  constexpr int kSignalled = 128;  // as a shell tells of a program that a signal ended
  return Interruption::signal() != 0 ? kSignalled + Interruption::signal() : status;
}

}  // namespace cutopsy
