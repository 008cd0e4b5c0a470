// The command line: finds the command and runs it.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "engine/cli/check_command.h"
#include "engine/cli/diagnose_command.h"
#include "engine/cli/explain_command.h"
#include "engine/cli/merge_command.h"
#include "engine/cli/rules_command.h"
#include "engine/cli/run_command.h"
#include "engine/rule/rule_set.h"
#include "validators/driver_stack.h"
#include "validators/worker.h"

namespace {

void print_help() {
  fmt::print(
      "cutopsy: an autopsy for dead CUDA jobs. Reads logs, names the root cause, says what to do.\n\n"
      "usage: python train.py 2>&1 | cutopsy      read a log from a pipe\n"
      "       cutopsy [diagnose] FILE...          read log files of one job together (- is standard input)\n"
      "       cutopsy [diagnose] FOLDER|ARCHIVE|PATTERN   read the logs below a folder, in a zip or tar file, or that\n"
      "                                           '**/*.log' matches\n"
      "       cutopsy run -- COMMAND...           run a program; diagnose it when it fails\n"
      "       cutopsy check [NAME...]             ask this machine and its GPUs for faults, no log needed\n"
      "       cutopsy explain WHAT                what 710, xid 79, cudaErrorAssert or a message means, and what to "
      "do\n"
      "       cutopsy merge FILE...               reduce reports of other runs (--format jsonl) to one\n"
      "       cutopsy rules list|show|lint|test|... the knowledge behind it; see cutopsy rules --help\n"
      "       cutopsy --version | --help\n\n"
      "{}\n"
      "Exit status: 0 no failure found (warnings do not count), 1 a failure was found, 2 usage or input error.\n",
      cutopsy::diagnose_help());
}

void print_version() {
  fmt::print("cutopsy {}, {} rules\n", CUTOPSY_VERSION, cutopsy::RuleSet::built_in().rules().size());
  for (const cutopsy::Layer& layer : cutopsy::driver_stack(cutopsy::Host()))
    fmt::print("{}: {}\n", layer.name, layer.detail);
}

int run(std::vector<std::string> arguments) {
  if (!arguments.empty()) {
    const std::string command = arguments.front();
    if (command == "--help" || command == "-h" || command == "help") {
      print_help();
      return 0;
    }
    if (command == "--version") {
      print_version();
      return 0;
    }
    if (command == "run") return cutopsy::run_run_command({arguments.begin() + 1, arguments.end()});
    if (command == "check") return cutopsy::run_check_command({arguments.begin() + 1, arguments.end()});
    if (command == cutopsy::kWorkerVerb && arguments.size() == 3)
      return cutopsy::run_worker(arguments[1], arguments[2]);
    if (command == "explain") return cutopsy::run_explain_command({arguments.begin() + 1, arguments.end()});
    if (command == "merge") return cutopsy::run_merge_command({arguments.begin() + 1, arguments.end()});
    if (command == "rules") return cutopsy::run_rules_command({arguments.begin() + 1, arguments.end()});
    if (command == "diagnose") arguments.erase(arguments.begin());
    if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h")) {
      print_help();
      return 0;
    }
  }
  return cutopsy::run_diagnose_command(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is reported as a failed write
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    // Not by fmt::print(): it throws when standard error is closed too.
    std::fputs(
        fmt::format("cutopsy: internal error: {}; please report it with the input that led to it\n", error.what())
            .c_str(),
        stderr);
    return 2;
  }
}
