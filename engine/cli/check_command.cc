#include "engine/cli/check_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "engine/cli/check_options.h"
#include "engine/cli/check_report.h"
#include "engine/cli/option_value.h"
#include "engine/cli/output.h"
#include "engine/live/signal_watch.h"
#include "engine/report/message.h"
#include "engine/rule/nearest.h"
#include "validators/self_test.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;

constexpr int kUsage = 2, kSignalled = 128;

struct Request {
  std::vector<std::string> names;
  CheckOptions options;
  std::string format = "text";
  bool list = false;
  bool all = false;
  bool self_test = false;
  std::string kernel_log;
  bool help = false;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  auto add = options.add_options();
  add("list", po::bool_switch(&request.list), "show the checks that there are, with their parameters");
  add("all", po::bool_switch(&request.all), "show every answer on a line of its own");
  add("format", po::value(&request.format)->value_name("text|json"), "form of the report (default: text)");
  request.options.add_to(options);
  add("self-test", po::bool_switch(&request.self_test),
      "make faults on the GPUs on purpose (all, or those named) and tell whether they are reported as they should be; "
      "never under MPS or on a GPU that others use. Monitors may take the Xids in the kernel's log for a broken GPU");
  add("kernel-log", po::value(&request.kernel_log)->value_name("FILE"),
      "with --self-test: the kernel's log, when it is not where it usually is");
  add("help,h", po::bool_switch(&request.help), "show this help");
  return options;
}

std::string fault_names() {
  std::vector<std::string_view> names;
  for (const DeliberateFault& fault : deliberate_faults()) names.push_back(fault.check.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string help() {
  Request request;
  std::ostringstream options;
  options << visible_options(request);
  return fmt::format(
      "usage: cutopsy check [OPTIONS] [NAME...]\n"
      "       cutopsy check --self-test [FAULT...]\n\n"
      "Asks this machine and its GPUs: the checks named, or all that the level has. Every question is put so that yes\n"
      "means a fault. Nothing is set, reset or killed, and only free memory is taken. --self-test alone does harm, to\n"
      "processes of its own: {}.\n\n{}\n"
      "Exit status: 1 a fault was found, else 2 a check could not run, else 0. Ctrl-C ends the asking, not the "
      "report:\n"
      "130 then, as in a shell.\n",
      fault_names(), options.str());
}

// Why --self-test cannot be followed, and what goes only with it; false after a message on stderr.
bool is_consistent(const Request& request) {
  const char* wrong = nullptr;
  if (!request.self_test && !request.kernel_log.empty()) wrong = "--kernel-log goes with --self-test";
  if (request.self_test && request.options.force) wrong = "--self-test is never forced; leave --force out";
  if (request.self_test && !request.options.sysroot.empty()) wrong = "--self-test needs the machine, not a copy of it";
  if (!request.kernel_log.empty() && access(request.kernel_log.c_str(), R_OK) != 0)
    wrong = "--kernel-log: the file cannot be read; name one that holds the kernel's log";
  if (wrong) print_message("cutopsy check: {}\n", wrong);
  return !wrong;
}

std::optional<Request> parse(const std::vector<std::string>& arguments) {
  Request request;
  po::options_description all;
  all.add(visible_options(request));
  all.add_options()("name", po::value(&request.names));
  po::positional_options_description positional;
  positional.add("name", -1);
  try {
    po::variables_map values;
    po::store(po::command_line_parser(arguments).options(all).positional(positional).run(), values);
    po::notify(values);
  } catch (const po::error& error) {
    print_message("cutopsy check: {}; see cutopsy check --help\n", error.what());
    return std::nullopt;
  }
  if (!is_one_of("format", request.format, {"text", "json"}) || !request.options.are_valid()) return std::nullopt;
  if (!is_consistent(request)) return std::nullopt;
  return request;
}

/// False after a message on stderr when a GPU that is named is not here. One that NVML cannot open has no names: it may
/// be the one that is meant.
bool all_are_here(const std::vector<std::string>& names, const std::vector<Gpu>& gpus) {
  for (const Gpu& gpu : gpus) {
    if (gpu.uuid.empty() && gpu.pci_address.empty()) return true;
  }
  for (const std::string& name : names) {
    const bool is_here =
        std::any_of(gpus.begin(), gpus.end(), [&](const Gpu& gpu) { return Runner::is_name_of(name, gpu); });
    if (is_here) continue;
    print_message("cutopsy check: --gpu {}: no GPU of this machine has that name; nvidia-smi -L shows them\n", name);
    return false;
  }
  return true;
}

void refuse_name(std::string_view what, const std::string& name, const std::vector<std::string_view>& known,
                 std::string_view where) {
  const auto near = nearest(name, known);
  print_message("cutopsy check: there is no {} '{}'{}; {}\n", what, name,
                near.empty() ? "" : fmt::format(", did you mean {}?", near.front()), where);
}

/// No value after a message on stderr when a name is no check's.
std::optional<std::vector<const Check*>> chosen_checks(const Request& request) {
  std::vector<const Check*> chosen;
  for (const std::string& name : request.names) {
    const Check* check = find_check(name);
    if (!check) {
      std::vector<std::string_view> known;
      for (const Check* one : all_checks()) known.push_back(one->name);
      const bool is_fault = find_deliberate_fault(name) != nullptr;
      refuse_name("check", name, known,
                  is_fault ? "a fault is made by --self-test only" : "cutopsy check --list shows them");
      return std::nullopt;
    }
    chosen.push_back(check);
  }
  if (!request.names.empty()) return chosen;
  const Level level = request.options.run_options().level;
  for (const Check* check : all_checks()) {
    if (check->level <= level && !check->on_request) chosen.push_back(check);
  }
  return chosen;
}

Parameters known_to(const Check& check, const Parameters& given) {
  Parameters parameters;
  for (const Parameter& parameter : check.parameters) {
    if (const auto value = given.text(parameter.name)) parameters.set(std::string(parameter.name), *value);
  }
  return parameters;
}

/// No value after a message on stderr when the options cannot be followed.
std::optional<std::vector<CheckRequest>> requests_of(const Request& request) {
  const auto checks = chosen_checks(request);
  if (!checks) return std::nullopt;
  const auto given = request.options.parameters();
  if (!given) return std::nullopt;
  std::vector<CheckRequest> requests;
  for (const Check* check : *checks) requests.push_back({check, known_to(*check, *given), request.options.gpus});
  return requests;
}

/// The same of --self-test.
std::optional<SelfTestOptions> self_test_options(const Request& request) {
  SelfTestOptions options{.faults = {}, .gpus = request.options.gpus, .kernel_log = request.kernel_log};
  for (const std::string& name : request.names) {
    const DeliberateFault* fault = find_deliberate_fault(name);
    if (!fault) {
      std::vector<std::string_view> known;
      for (const DeliberateFault& one : deliberate_faults()) known.push_back(one.check.name);
      refuse_name("fault", name, known, "cutopsy check --help names them");
      return std::nullopt;
    }
    options.faults.push_back(fault);
  }
  return options;
}

bool wants_colour() {
  const char* no_colour = std::getenv("NO_COLOR");  // https://no-color.org
  return isatty(STDOUT_FILENO) && !(no_colour && *no_colour);
}

}  // namespace

int run_check_command(const std::vector<std::string>& arguments) {
  const auto request = parse(arguments);
  if (!request) return kUsage;
  if (request->help) return print_result(help(), 0);
  if (request->list) return print_result(request->format == "json" ? check_list_json() : check_list_text(), 0);
  std::optional<std::vector<CheckRequest>> requests;
  std::optional<SelfTestOptions> faults;
  if (request->self_test) {
    faults = self_test_options(*request);
  } else {
    requests = requests_of(*request);
  }
  if (!requests && !faults) return kUsage;

  CheckReport report;
  report.self_test = request->self_test;
  report.layers = driver_stack(Host(request->options.sysroot));
  SignalWatch signals(ending_signals());
  RunOptions options = request->options.run_options();
  options.interrupt = signals.descriptor();
  if (request->names.empty() && !faults) options.time_limit = request->options.time_limit();
  Runner runner(std::move(options));
  report.results = faults ? self_test(runner, *faults) : runner.run(std::move(*requests));
  report.gpus = runner.gpus();
  report.why_no_gpu = runner.why_no_gpu();
  if (isatty(STDERR_FILENO)) print_message("\r\x1b[K");
  if (!report.gpus.empty() && !all_are_here(request->options.gpus, report.gpus)) return kUsage;
  const std::string text =
      request->format == "json" ? check_json(report) : check_text(report, wants_colour(), request->all);
  const auto signal = signals.next();
  if (!signal) return print_result(text, exit_status_of(report));
  print_message("cutopsy check: interrupted; the report is of what was asked until then\n");
  return print_result(text, kSignalled + signal->number);
}

}  // namespace cutopsy
