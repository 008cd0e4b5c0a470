#include "validators/python_interpreter.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kDeadline{60};  // importing torch from a network disk is slow
constexpr std::size_t kMostBytes = 64 << 10;
constexpr int kPause = 10;  // milliseconds

// The current folder is no place to import from: it may hold anybody's torch.py. A line each.
// torch._C._cuda_getArchFlags() makes no context, torch.cuda.get_arch_list() hides the list without a GPU.
constexpr const char* kScript =
    "import sys; sys.path = [folder for folder in sys.path if folder]\n"
    "import os, torch\n"
    "print('site=' + os.path.dirname(os.path.dirname(os.path.abspath(torch.__file__))))\n"
    "print('torch_version=' + str(torch.__version__))\n"
    "if torch.version.cuda: print('runtime=' + torch.version.cuda)\n"
    "flags = getattr(torch._C, '_cuda_getArchFlags', lambda: None)()\n"
    "if flags: print('architectures=' + ','.join(flags.split()))\n";

// Appends what can be read within kPause; false at the end of the output.
bool read_some(int from, std::string& text) {
  pollfd ready{from, POLLIN, 0};
  if (poll(&ready, 1, kPause) <= 0) return true;
  std::array<char, 4096> buffer;
  const ssize_t got = read(from, buffer.data(), buffer.size());
  if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

// Reads until the program ends, also when a process that it started holds its output still. Nothing when it was killed
// for its time or its amount; `*why_not` says so.
std::optional<std::string> output_of(int from, pid_t pid, std::string* why_not) {
  const auto until = Clock::now() + kDeadline;
  std::string text;
  bool is_open = true;
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    const bool is_late = Clock::now() >= until;
    if (is_late || text.size() >= kMostBytes) {
      kill(pid, SIGKILL);
      waitpid(pid, &status, 0);
      *why_not =
          is_late ? "it gave no answer in a minute" : "it prints more than an interpreter that is asked for torch";
      return std::nullopt;
    }
    if (is_open) {
      is_open = read_some(from, text);
    } else {
      poll(nullptr, 0, kPause);
    }
  }
  for (pollfd ready{from, POLLIN, 0}; is_open && text.size() < kMostBytes && poll(&ready, 1, 0) > 0;)
    is_open = read_some(from, text);
  if (status == 0) return text;
  *why_not = WIFSIGNALED(status) ? std::string("it was ended by signal ") + std::to_string(WTERMSIG(status))
                                 : "it cannot import torch";
  return std::nullopt;
}

// Starts the interpreter with its output in `to`; 0, or why it does not start as errno. Forked rather than spawned:
// only between fork and exec can a child ask to be killed when its parent (the thread that calls) ends.
int start(const std::string& path, int to, pid_t* pid) {
  std::array<int, 2> failure{-1, -1};  // stays empty when the interpreter starts
  if (pipe2(failure.data(), O_CLOEXEC) != 0) return errno;
  const pid_t parent = getpid();
  *pid = fork();
  if (*pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nothing = open("/dev/null", O_RDONLY);
    if (getppid() == parent && dup2(nothing, STDIN_FILENO) >= 0 && dup2(to, STDOUT_FILENO) >= 0)
      execlp(path.c_str(), path.c_str(), "-c", kScript, nullptr);
    const int error = errno;
    [[maybe_unused]] const ssize_t told = write(failure[1], &error, sizeof error);
    _exit(127);
  }
  int error = *pid < 0 ? errno : 0;
  close(failure[1]);
  if (*pid > 0 && read(failure[0], &error, sizeof error) > 0) waitpid(*pid, nullptr, 0);
  close(failure[0]);
  return error;
}

}  // namespace

std::optional<Parameters> ask_interpreter(const std::string& path, std::string* why_not) {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    *why_not = std::strerror(errno);
    return std::nullopt;
  }
  pid_t pid = -1;
  const int error = start(path, ends[1], &pid);
  close(ends[1]);
  if (error != 0) *why_not = std::strerror(error);
  const auto text = error == 0 ? output_of(ends[0], pid, why_not) : std::nullopt;
  close(ends[0]);
  if (!text) return std::nullopt;
  Parameters torch;
  for (std::size_t at = 0; at < text->size();) {
    const std::size_t end = std::min(text->find('\n', at), text->size());
    const std::size_t equals = text->find('=', at);
    if (equals < end) torch.set(text->substr(at, equals - at), text->substr(equals + 1, end - equals - 1));
    at = end + 1;
  }
  if (torch.text("site")) return torch;
  *why_not = "it is no Python that answers";
  return std::nullopt;
}

}  // namespace cutopsy
