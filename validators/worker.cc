#include "validators/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kAnswers = 3;               // the child's descriptor for them
constexpr milliseconds kGoodbye{1000};    // for a worker to leave by itself
constexpr milliseconds kAfterKill{5000};  // a process inside the driver may take seconds to die
constexpr milliseconds kPause{5};

constexpr const char* kNames[] = {"host", "nvml", "cuda"};

std::vector<std::string> changed_environment(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable; ++variable) {
    const std::string_view text = *variable;
    if (!changes.contains(std::string(text.substr(0, text.find('='))))) variables.emplace_back(text);
  }
  for (const auto& [name, value] : changes) {
    if (!value.empty()) variables.push_back(name + "=" + value);
  }
  return variables;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::string seconds(milliseconds time) {
  const auto tenths = time.count() / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " s";
}

std::string describe_end(int status) {
  if (WIFSIGNALED(status)) {
    return "ended by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  }
  return "ended with status " + std::to_string(WEXITSTATUS(status));
}

int spawn(const std::string& binary, std::vector<std::string> words, std::vector<std::string> variables, int input,
          int answers, pid_t* pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, answers, kAnswers);
  // A group of its own: Ctrl-C ends the parent, whose end the worker sees; it does not tear a driver call.
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const int error =
      posix_spawn(pid, binary.c_str(), &actions, &attributes, pointers_to(words).data(), pointers_to(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

Worker::Worker(const std::string& binary, WorkerKind kind, const std::string& sysroot,
               const std::map<std::string, std::string>& environment) {
  // Sockets, not pipes: a write to a dead worker then gives an error, not SIGPIPE.
  std::array<int, 2> questions{-1, -1}, answers{-1, -1};
  const bool open = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, questions.data()) == 0 &&
                    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, answers.data()) == 0;
  int error = open ? 0 : errno;
  // Above the descriptors that the child gets, so that none is overwritten before it is copied.
  const int input = open ? fcntl(questions[1], F_DUPFD_CLOEXEC, kAnswers + 1) : -1;
  const int output = open ? fcntl(answers[1], F_DUPFD_CLOEXEC, kAnswers + 1) : -1;
  if (open) {
    error = spawn(binary, {binary, kWorkerVerb, kNames[static_cast<int>(kind)], sysroot},
                  changed_environment(environment), input, output, &pid_);
  }
  for (int descriptor : {questions[1], answers[1], input, output}) {
    if (descriptor >= 0) close(descriptor);
  }
  to_child_ = questions[0];
  from_child_ = answers[0];
  if (error != 0) fail(Exchange::End::not_started, binary + " does not start: " + std::strerror(error));
}

Worker::~Worker() {
  if (to_child_ >= 0) close(to_child_);
  std::string how;
  if (pid_ > 0 && !reap(kGoodbye, &how)) {
    kill(pid_, SIGKILL);
    reap(kAfterKill, &how);
  }
  if (from_child_ >= 0) close(from_child_);
}

Exchange Worker::ask(const Question& question, milliseconds deadline, int interrupt) {
  if (failure_) return *failure_;
  const std::string bytes = encode(to_message(question));
  const auto until = Clock::now() + deadline;
  for (std::size_t sent = 0; sent < bytes.size();) {
    pollfd ready{to_child_, POLLOUT, 0};
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    if (left <= 0) break;  // it takes nothing: no answer will come in time
    if (poll(&ready, 1, static_cast<int>(std::min<long long>(left, 60'000))) <= 0) continue;
    const ssize_t count = send(to_child_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) break;  // the child is dead; what ended it is told below
    sent += static_cast<std::size_t>(count);
  }
  Exchange exchange = wait_for_message(until, interrupt);
  if (exchange.end == Exchange::End::answered) return exchange;
  if (exchange.detail.empty()) exchange.detail = "no answer in " + seconds(deadline);
  std::string how;
  if (exchange.end == Exchange::End::died && reap(kGoodbye, &how)) return fail(Exchange::End::died, how);
  kill(pid_, SIGKILL);
  if (!reap(kAfterKill, &how)) {
    return fail(Exchange::End::left_behind,
                exchange.detail + "; its process cannot be killed: it is stuck in the driver");
  }
  return fail(exchange.end, exchange.detail);
}

Exchange Worker::fail(Exchange::End end, std::string detail) {
  failure_ = Exchange{end, {}, std::move(detail)};
  return *failure_;
}

Exchange Worker::wait_for_message(Clock::time_point until, int interrupt) {
  while (true) {
    bool broken = false;
    if (auto message = take_message(received_, &broken)) return {Exchange::End::answered, std::move(*message), ""};
    if (broken) return {Exchange::End::timed_out, {}, "what it sent is no answer"};
    const auto left = std::chrono::ceil<milliseconds>(until - Clock::now()).count();
    if (left <= 0) return {Exchange::End::timed_out, {}, ""};
    std::array<pollfd, 2> ready = {pollfd{from_child_, POLLIN, 0}, pollfd{interrupt, POLLIN, 0}};
    if (poll(ready.data(), ready.size(), static_cast<int>(std::min<long long>(left, 60'000))) <= 0) continue;
    if (ready[1].revents != 0) return {Exchange::End::interrupted, {}, "interrupted"};
    std::array<char, 4096> buffer;
    const ssize_t got = ::read(from_child_, buffer.data(), buffer.size());
    if (got > 0) received_.append(buffer.data(), static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EINTR)) return {Exchange::End::died, {}, "it closed its answers"};
  }
}

bool Worker::reap(milliseconds within, std::string* how) {
  const auto until = Clock::now() + within;
  do {
    int status = 0;
    const pid_t ended = waitpid(pid_, &status, WNOHANG);
    if (ended != 0) {
      *how = ended == pid_ ? describe_end(status) : "ended unseen";
      pid_ = -1;
      return true;
    }
    std::this_thread::sleep_for(kPause);
  } while (Clock::now() < until);
  return false;
}

}  // namespace cutopsy
