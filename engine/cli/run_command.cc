#include "engine/cli/run_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/program_options.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <system_error>
#include <thread>

#include "engine/cli/check_options.h"
#include "engine/cli/output.h"
#include "engine/cli/report_options.h"
#include "engine/cli/rule_options.h"
#include "engine/cli/shell_notice.h"
#include "engine/live/byte_queue.h"
#include "engine/live/child_process.h"
#include "engine/live/relay.h"
#include "engine/live/signal_watch.h"
#include "engine/report/message.h"
#include "engine/report/report_document.h"

namespace cutopsy {
namespace {

namespace po = boost::program_options;

constexpr int kUsage = 2, kNotExecutable = 126, kNotFound = 127, kSignalled = 128;

struct Request {
  std::vector<std::string> command;
  ReportOptions report;
  std::string log;
  ConfirmRequest confirm;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  request.report.add_to(options);
  options.add_options()("log", po::value(&request.log)->value_name("FILE"), "keep the program's output in a file");
  request.confirm.add_to(options);
  return options;
}

std::string help() {
  Request request;
  std::ostringstream options;
  options << visible_options(request);
  return fmt::format(
      "usage: cutopsy run [OPTIONS] -- COMMAND...\n\n"
      "Runs COMMAND without a shell. Its output passes through as it is, its exit status becomes this one's (128 + n\n"
      "after signal n); when it fails, the diagnosis follows on standard error.\n\n{}",
      options.str());
}

/// Our options end at "--" or at the first word that is none.
std::optional<Request> parse(const std::vector<std::string>& arguments) {
  Request request;
  const po::options_description options = visible_options(request);
  std::vector<std::string> ours;
  std::size_t i = 0;
  for (; i < arguments.size() && arguments[i].starts_with('-') && arguments[i] != "--"; ++i) {
    ours.push_back(arguments[i]);
    const std::string name = arguments[i].substr(0, arguments[i].find('='));
    const auto* option = name.starts_with("--") ? options.find_nothrow(name.substr(2), false) : nullptr;
    const bool takes_next = option && option->semantic()->min_tokens() > 0 && name == arguments[i];
    if (takes_next && i + 1 < arguments.size()) ours.push_back(arguments[++i]);
  }
  if (i < arguments.size() && arguments[i] == "--") ++i;
  request.command.assign(arguments.begin() + static_cast<std::ptrdiff_t>(i), arguments.end());
  try {
    po::variables_map values;
    po::store(po::command_line_parser(ours).options(options).run(), values);
    po::notify(values);
  } catch (const po::error& error) {
    print_message("cutopsy run: {}; see cutopsy run --help\n", error.what());
    return std::nullopt;
  }
  if (!request.report.prepare() || !request.confirm.is_valid()) return std::nullopt;
  if (!request.log.empty() && !request.report.spare(request.log)) return std::nullopt;
  if (request.command.empty()) {
    print_message("cutopsy run: name a command: cutopsy run -- python train.py\n");
    return std::nullopt;
  }
  return request;
}

/// The file for the output, -1 without one; nothing after a message on stderr.
std::optional<int> open_log(const std::string& path) {
  if (path.empty()) return -1;
  const int log = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (log >= 0) return log;
  print_message("cutopsy run: --log {}: {}; name a file that can be written\n", path, std::strerror(errno));
  return std::nullopt;
}

int exit_status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? kSignalled + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/// What a shell would print of the end: it is read like the rest of the output.
std::string last_words(int wait_status, const Request& request, pid_t pid) {
  std::string text = "\n";
  if (WIFSIGNALED(wait_status)) {
    text += shell_notice(WTERMSIG(wait_status), pid, WCOREDUMP(wait_status),
                         fmt::format("{}", fmt::join(request.command, " ")));
  }
  return text + fmt::format("$ echo $?\n{}\n", exit_status_of(wait_status));
}

int refuse_start(const Request& request, int error) {
  const bool is_missing = error == ENOENT;
  print_message("cutopsy run: {}: {}; {}\n", request.command.front(), std::strerror(error),
                is_missing         ? "check its name and PATH"
                : error == ENOEXEC ? "name its interpreter, e.g. cutopsy run -- sh SCRIPT"
                                   : "check that it is a program that this user may execute");
  return is_missing ? kNotFound : kNotExecutable;
}

// Files of --output are written of any end, the diagnosis of a failure.
void report_on(const Request& request, int status, Reading reading, const RuleIndex& index) {
  Case job(index);
  job.add(std::move(reading));
  Batch batch;
  batch.cases.push_back(job.finish());
  ConfirmRequest here = request.confirm;
  here.this_machine = true;
  here.apply(batch, index.rules());
  Json document = report_document(batch, index.rules());
  request.report.finish(document);
  request.report.write_files(document, index.rules());
  if (status == 0) return;
  if (request.report.format == "text" && outcome_of(batch) == Outcome::clean) {
    print_message("\ncutopsy run: {} ended with status {}; nothing that it printed says why\n", request.command.front(),
                  status);
    return;
  }
  write_message("\n" + request.report.render(document, index.rules(), STDERR_FILENO));
}

}  // namespace

int run_run_command(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && (arguments.front() == "--help" || arguments.front() == "-h"))
    return print_result(help(), 0);
  const auto request = parse(arguments);
  if (!request) return kUsage;
  RuleSet rules;
  if (!load_rule_options(request->report.rules, rules)) return kUsage;
  const auto log = open_log(request->log);
  if (!log) return kUsage;
  std::optional<SignalWatch> signals(
      std::in_place, std::vector{SIGCHLD, SIGWINCH, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2});
  ChildProcess child(request->command);
  if (child.error() != 0) return refuse_start(*request, child.error());

  const RuleIndex index(rules);
  ByteQueue queue;
  Reading reading;
  const std::string name = request->log.empty() ? "output" : request->log;
  std::exception_ptr failure;
  const auto analyse = [&] {
    try {
      reading = read_input(index, name, queue);
    } catch (...) {
      failure = std::current_exception();
      queue.close();
    }
  };
  std::thread analysis;
  try {
    analysis = std::thread(analyse);
  } catch (const std::system_error&) {  // no further thread: the program runs all the same
    failure = std::current_exception();
    queue.close();
  }
  const ChildEnd end = relay(child, *signals, queue, *log);
  queue.push(last_words(end.wait_status, *request, child.pid()));
  queue.close();
  if (analysis.joinable()) analysis.join();
  if (*log >= 0) close(*log);
  if (request->confirm.confirm) {
    // The program's signals are told; the next one ends the checks, and the report is of what they asked till then.
    while (signals->next()) {
    }
    signals.reset();
  }

  if (end.left_behind) {
    print_message("cutopsy run: a process that {} left behind holds its output still; it is not waited for\n",
                  request->command.front());
  }
  const int status = exit_status_of(end.wait_status);
  try {
    if (failure) std::rethrow_exception(failure);
    if (status != 0 || !request->report.outputs.empty()) report_on(*request, status, std::move(reading), index);
  } catch (const std::exception& error) {  // the status is the program's all the same
    print_message(
        "cutopsy run: the output could not be diagnosed: {}; keep it with --log FILE and give it to cutopsy\n",
        error.what());
  }
  return status;
}

}  // namespace cutopsy
