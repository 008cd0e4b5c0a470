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
#include "engine/rule/nearest.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;

constexpr int kUsage = 2;

struct Request {
  std::vector<std::string> names;
  CheckOptions options;
  std::string format = "text";
  bool list = false;
  bool all = false;
  bool help = false;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  auto add = options.add_options();
  add("list", po::bool_switch(&request.list), "show the checks that there are, with their parameters");
  add("all", po::bool_switch(&request.all), "show every answer on a line of its own");
  add("format", po::value(&request.format)->value_name("text|json"), "form of the report (default: text)");
  request.options.add_to(options);
  add("help,h", po::bool_switch(&request.help), "show this help");
  return options;
}

std::string help() {
  Request request;
  std::ostringstream options;
  options << visible_options(request);
  return fmt::format(
      "usage: cutopsy check [OPTIONS] [NAME...]\n\n"
      "Asks this machine and its GPUs: the checks named, or all that the level has. Every question is put so that yes\n"
      "means a fault. Nothing is set, reset or killed, and only free memory is taken.\n\n{}\n"
      "Exit status: 1 a fault was found, else 2 a check could not run, else 0.\n",
      options.str());
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
    fmt::print(stderr, "cutopsy check: {}; see cutopsy check --help\n", error.what());
    return std::nullopt;
  }
  if (!is_one_of("format", request.format, {"text", "json"}) || !request.options.are_valid()) return std::nullopt;
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
    fmt::print(stderr, "cutopsy check: --gpu {}: no GPU of this machine has that name; nvidia-smi -L shows them\n",
               name);
    return false;
  }
  return true;
}

/// No value after a message on stderr when a name is no check's.
std::optional<std::vector<const Check*>> chosen_checks(const Request& request) {
  std::vector<const Check*> chosen;
  for (const std::string& name : request.names) {
    const Check* check = find_check(name);
    if (!check) {
      std::vector<std::string_view> known;
      for (const Check* one : all_checks()) known.push_back(one->name);
      const auto near = nearest(name, known);
      fmt::print(stderr, "cutopsy check: there is no check '{}'{}; cutopsy check --list shows them\n", name,
                 near.empty() ? "" : fmt::format(", did you mean {}?", near.front()));
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
  const auto checks = chosen_checks(*request);
  if (!checks) return kUsage;
  const auto given = request->options.parameters();
  if (!given) return kUsage;

  std::vector<CheckRequest> requests;
  for (const Check* check : *checks) requests.push_back({check, known_to(*check, *given), request->options.gpus});
  CheckReport report;
  report.layers = driver_stack(Host(request->options.sysroot));
  RunOptions options = request->options.run_options();
  if (request->names.empty()) options.time_limit = request->options.time_limit();
  Runner runner(std::move(options));
  report.results = runner.run(std::move(requests));
  report.gpus = runner.gpus();
  report.why_no_gpu = runner.why_no_gpu();
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\x1b[K");
  if (!report.gpus.empty() && !all_are_here(request->options.gpus, report.gpus)) return kUsage;
  const std::string text =
      request->format == "json" ? check_json(report) : check_text(report, wants_colour(), request->all);
  return print_result(text, exit_status_of(report));
}

}  // namespace cutopsy
