#include "validators/python_interpreter.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

namespace cutopsy {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kDeadline{60};  // importing torch from a network disk is slow
constexpr std::size_t kMostBytes = 64 << 10;

// A line each. torch._C._cuda_getArchFlags() makes no context, torch.cuda.get_arch_list() hides the list without a GPU.
constexpr const char* kScript =
    "import os, torch\n"
    "print('site=' + os.path.dirname(os.path.dirname(os.path.abspath(torch.__file__))))\n"
    "print('torch_version=' + str(torch.__version__))\n"
    "if torch.version.cuda: print('runtime=' + torch.version.cuda)\n"
    "flags = getattr(torch._C, '_cuda_getArchFlags', lambda: None)()\n"
    "if flags: print('architectures=' + ','.join(flags.split()))\n";

// What the program prints until it ends or the time is over; `*status` is its wait status.
std::string output_of(int from, pid_t pid, int* status) {
  const auto until = Clock::now() + kDeadline;
  std::string text;
  while (text.size() < kMostBytes) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd ready{from, POLLIN, 0};
    if (left <= 0 || poll(&ready, 1, static_cast<int>(left)) == 0) break;
    std::array<char, 4096> buffer;
    const ssize_t got = read(from, buffer.data(), buffer.size());
    if (got == 0 || (got < 0 && errno != EINTR)) break;
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  if (Clock::now() >= until) kill(pid, SIGKILL);
  waitpid(pid, status, 0);
  return text;
}

}  // namespace

std::optional<Parameters> ask_interpreter(const std::string& path, std::string* why_not) {
  std::array<int, 2> ends{-1, -1};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    *why_not = std::strerror(errno);
    return std::nullopt;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::string program = path, option = "-c", script = kScript;
  std::array<char*, 4> words = {program.data(), option.data(), script.data(), nullptr};
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, path.c_str(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  int status = 0;
  std::string text;
  if (error == 0) text = output_of(ends[0], pid, &status);
  close(ends[0]);
  if (error != 0 || status != 0) {
    *why_not = error != 0            ? std::strerror(error)
               : WIFSIGNALED(status) ? "it gave no answer in a minute"
                                     : "it cannot import torch";
    return std::nullopt;
  }
  Parameters torch;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t equals = text.find('=', at);
    if (equals < end) torch.set(text.substr(at, equals - at), text.substr(equals + 1, end - equals - 1));
    at = end + 1;
  }
  return torch;
}

}  // namespace cutopsy
