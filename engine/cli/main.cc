// The command line: finds the command and runs it.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cli/check_command.h"
#include "engine/cli/diagnose_command.h"
#include "engine/cli/explain_command.h"
#include "engine/cli/merge_command.h"
#include "engine/cli/output.h"
#include "engine/cli/rules_command.h"
#include "engine/cli/run_command.h"
#include "engine/live/write_all.h"
#include "engine/report/message.h"
#include "engine/report/printable.h"
#include "engine/rule/rule_set.h"
#include "validators/driver_stack.h"
#include "validators/worker.h"

namespace {

std::string help() {
  return fmt::format(
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

std::string version() {
  constexpr std::size_t kMaxDetail = 500;  // bytes
  std::string text =
      fmt::format("cutopsy {}, {} rules\n", CUTOPSY_VERSION, cutopsy::RuleSet::built_in().rules().size());
  for (const cutopsy::Layer& layer : cutopsy::driver_stack(cutopsy::Host()))
    text += fmt::format("{}: {}\n", layer.name, cutopsy::printable(layer.detail, kMaxDetail));
  return text;
}

// A closed standard stream's number would go to the next file or socket, and our output into that. What stands in for
// it cannot be used either, so that a report that nobody gets is an error.
void occupy_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) < 0) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

constexpr std::string_view kOutOfMemory =
    "cutopsy: out of memory, nothing is reported; give it more (ulimit -v, the limit of the job or container), or "
    "fewer "
    "threads with --jobs 1\n";

// Destructors that need memory (nlohmann::json's does) end here when there is none.
void end_without_unwinding() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    cutopsy::write_all(STDERR_FILENO, kOutOfMemory);
    _exit(2);
  } catch (...) {
    cutopsy::write_all(STDERR_FILENO, "cutopsy: internal error; please report it with the input that led to it\n");
  }
  std::abort();
}

int run(std::vector<std::string> arguments) {
  if (!arguments.empty()) {
    const std::string command = arguments.front();
    if (command == "--help" || command == "-h" || command == "help") return cutopsy::print_result(help(), 0);
    if (command == "--version") return cutopsy::print_result(version(), 0);
    if (command == "run") return cutopsy::run_run_command({arguments.begin() + 1, arguments.end()});
    if (command == "check") return cutopsy::run_check_command({arguments.begin() + 1, arguments.end()});
    if (command == cutopsy::kWorkerVerb && arguments.size() == 3)
      return cutopsy::run_worker(arguments[1], arguments[2]);
    if (command == "explain") return cutopsy::run_explain_command({arguments.begin() + 1, arguments.end()});
    if (command == "merge") return cutopsy::run_merge_command({arguments.begin() + 1, arguments.end()});
    if (command == "rules") return cutopsy::run_rules_command({arguments.begin() + 1, arguments.end()});
    if (command == "diagnose") arguments.erase(arguments.begin());
    if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h"))
      return cutopsy::print_result(help(), 0);
  }
  return cutopsy::run_diagnose_command(arguments);
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  // A closed pipe, or a file beyond the limit on its size, is reported as a failed write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_terminate(end_without_unwinding);
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    cutopsy::write_message(kOutOfMemory);
  } catch (const std::exception& error) {
    cutopsy::print_message("cutopsy: internal error: {}; please report it with the input that led to it\n",
                           error.what());
  }
  return 2;
}
