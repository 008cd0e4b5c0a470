#include "engine/cli/check_options.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <csignal>
#include <cstdio>

#include "engine/cli/option_value.h"
#include "engine/confirm/confirm.h"
#include "engine/live/signal_watch.h"
#include "engine/report/message.h"
#include "validators/python_interpreter.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;
using std::chrono::milliseconds;

// "30s", "5m", "500ms", "90": seconds without a unit.
std::optional<milliseconds> duration_of(std::string_view text) {
  long long count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr long long kMost = 86'400;
  if (error != std::errc() || count <= 0 || count > kMost * 1000) return std::nullopt;
  if (unit == "ms") return milliseconds(count);
  if (count > kMost) return std::nullopt;
  if (unit.empty() || unit == "s") return std::chrono::seconds(count);
  if (unit == "m") return std::chrono::minutes(count);
  if (unit == "h") return std::chrono::hours(count);
  return std::nullopt;
}

Level level_of(const std::string& name) {
  return name == "thorough" ? Level::thorough : name == "standard" ? Level::standard : Level::quick;
}

milliseconds budget_of(Level level) {
  constexpr std::chrono::seconds kQuick{6}, kStandard{45}, kThorough{600};
  return level == Level::quick ? kQuick : level == Level::standard ? kStandard : kThorough;
}

// The binary itself, also when it was replaced or moved since.
constexpr const char* kThisBinary = "/proc/self/exe";

bool is_known(std::string_view parameter) {
  return std::ranges::any_of(all_checks(), [&](const Check* check) {
    return std::ranges::any_of(check->parameters, [&](const Parameter& one) { return one.name == parameter; });
  });
}

bool refuse(const std::string& message) {
  print_message("cutopsy: {}\n", message);
  return false;
}

}  // namespace

void CheckOptions::add_to(po::options_description& options) {
  auto add = options.add_options();
  add("gpu", po::value(&gpus)->value_name("GPU"), "only this GPU: index, UUID or PCI address (repeatable)");
  add("level", po::value(&level)->value_name("quick|standard|thorough"),
      "how hard GPUs are tested: under 10 s, under 60 s, or as long as --budget says (default: quick)");
  add("budget", po::value<std::string>()->notifier([this](const auto& text) { budget = text; })->value_name("TIME"),
      "time for the checks that load a GPU: 30s, 5m");
  add("force", po::bool_switch(&force), "load a GPU although others compute on it");
  add("sysroot", po::value(&sysroot)->value_name("DIR"), "read /proc, /sys, /dev and /etc from a copy below DIR");
  add("pid", po::value<std::string>()->notifier([this](const auto& text) { pid = text; })->value_name("PID"),
      "the job's process: look at its environment and libraries");
  add("python", po::value(&python)->value_name("PATH"), "the job's interpreter: run it and ask for its torch");
  add("with", po::value(&with)->value_name("NAME=VALUE"), "a parameter of the checks that know it (repeatable)");
}

bool CheckOptions::are_valid() const {
  if (!is_one_of("level", level, {"quick", "standard", "thorough"})) return false;
  for (const std::string& gpu : gpus) {
    if (!Runner::is_name(gpu))
      return refuse(fmt::format("--gpu '{}': no name of a GPU; write its index, UUID or PCI address", gpu));
  }
  if (budget && !duration_of(*budget)) return refuse(fmt::format("--budget '{}': no time; write 30s or 5m", *budget));
  const bool is_number = pid && !pid->empty() && pid->find_first_not_of("0123456789") == std::string::npos;
  if (pid && (!is_number || pid->find_first_not_of('0') == std::string::npos))
    return refuse(fmt::format("--pid '{}': no process id; write the number that ps shows", *pid));
  struct stat status {};
  if (!sysroot.empty() && (stat(sysroot.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)))
    return refuse(fmt::format("--sysroot {}: no such folder; name one that holds proc/, sys/, dev/ and etc/", sysroot));
  for (const std::string& setting : with) {
    if (setting.find('=') == std::string::npos || setting.front() == '=')
      return refuse(fmt::format("--with {}: write NAME=VALUE; cutopsy check --list shows the names", setting));
    if (!is_known(setting.substr(0, setting.find('='))))
      return refuse(fmt::format("--with {}: no check knows that name; cutopsy check --list shows the names", setting));
    Parameters one;
    one.set(setting.substr(0, setting.find('=')), setting.substr(setting.find('=') + 1));
    if (const std::string wrong = malformed(one); !wrong.empty())
      return refuse(fmt::format("--with {}: {}", setting, wrong));
  }
  return true;
}

RunOptions CheckOptions::run_options() const {
  RunOptions options;
  options.binary = kThisBinary;
  options.sysroot = sysroot;
  options.level = level_of(level);
  options.budget = budget ? *duration_of(*budget) : budget_of(options.level);
  options.force = force;
  if (isatty(STDERR_FILENO)) {
    options.on_start = [](const Check& check, const Gpu& gpu) {
      const std::string where = gpu.index.empty() ? "" : " on GPU " + gpu.index;
      print_message("\r\x1b[K{}{} ...", check.name, where);
    };
  }
  return options;
}

std::optional<milliseconds> CheckOptions::time_limit() const {
  // Less than what is promised: the last check that is started takes its time too.
  constexpr milliseconds kQuick{8'000}, kStandard{50'000};
  const Level asked = level_of(level);
  if (budget || asked == Level::thorough) return std::nullopt;
  return asked == Level::quick ? kQuick : kStandard;
}

std::optional<Parameters> CheckOptions::parameters() const {
  Parameters parameters;
  if (pid) parameters.set("pid", *pid);
  if (!python.empty()) {
    std::string why_not;
    const auto torch = ask_interpreter(python, &why_not);
    if (!torch) {
      refuse(fmt::format("--python {}: {}; name the interpreter that runs the job", python, why_not));
      return std::nullopt;
    }
    for (const auto& [name, value] : torch->values()) parameters.set(name, value);
  }
  for (const std::string& setting : with) {
    const std::size_t equals = setting.find('=');
    parameters.set(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return parameters;
}

std::vector<int> ending_signals() {
  std::vector<int> signals;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) signals.push_back(signal);
  }
  return signals;
}

void ConfirmRequest::add_to(po::options_description& options) {
  po::options_description group("Confirming on this machine");
  auto add = group.add_options();
  add("confirm", po::bool_switch(&confirm), "test each hypothesis on this machine and its GPUs");
  add("this-machine", po::bool_switch(&this_machine), "with --confirm: the log is of this machine, whatever it names");
  checks.add_to(group);
  options.add(group);
}

bool ConfirmRequest::is_valid() const {
  if (this_machine && !confirm) return refuse("--this-machine goes with --confirm");
  return checks.are_valid();
}

bool ConfirmRequest::apply(Batch& batch, const RuleSet& rules) const {
  if (!confirm) return true;
  auto given = checks.parameters();
  if (!given) return false;
  SignalWatch signals(ending_signals());
  RunOptions options = checks.run_options();
  options.interrupt = signals.descriptor();
  {
    Runner runner(std::move(options));
    cutopsy::confirm(batch, rules, runner, {this_machine, std::move(*given)});
  }
  if (isatty(STDERR_FILENO)) print_message("\r\x1b[K");
  bool interrupted = false;
  while (signals.next()) interrupted = true;
  if (interrupted) print_message("cutopsy: interrupted; the report stands, what was not asked yet is untested\n");
  return true;
}

}  // namespace cutopsy
