#include "engine/live/child_process.h"

#include <fcntl.h>
#include <pty.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace cutopsy {
namespace {

bool same_file(int left, int right) {
  struct stat a {
  }, b{};
  return fstat(left, &a) == 0 && fstat(right, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void close_at_exec(int descriptor) {
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command) {
  open_streams();
  if (error_ == 0) error_ = spawn(command);
  for (int end : ends_) close(end);
  ends_.clear();
}

ChildProcess::~ChildProcess() {
  for (const ChildStream& stream : streams_)
    if (stream.from >= 0) close(stream.from);
}

void ChildProcess::open_streams() {
  streams_ = {{-1, STDOUT_FILENO, false}};
  if (!same_file(STDOUT_FILENO, STDERR_FILENO)) streams_.push_back({-1, STDERR_FILENO, false});
  for (ChildStream& stream : streams_) {
    const int end = writing_end(stream);
    if (end < 0) {
      error_ = errno;
      return;
    }
    ends_.push_back(end);
    close_at_exec(stream.from);
    close_at_exec(end);
  }
}

/// Opens the stream; returns the child's side, or -1 with errno.
int ChildProcess::writing_end(ChildStream& stream) {
  stream.is_terminal = isatty(stream.to) != 0;
  if (!stream.is_terminal) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    stream.from = ends[0];
    stream.is_roomy = fcntl(ends[0], F_SETPIPE_SZ, kRoomyBytes) >= kRoomyBytes;
    return ends[1];
  }
  // Output passes through as it is written: our own terminal does what a terminal does to it.
  termios mode{};
  tcgetattr(stream.to, &mode);
  cfmakeraw(&mode);
  winsize size{};
  const bool has_size = ioctl(stream.to, TIOCGWINSZ, &size) == 0;
  int slave = -1;
  if (openpty(&stream.from, &slave, nullptr, &mode, has_size ? &size : nullptr) != 0) return -1;
  return slave;
}

int ChildProcess::spawn(const std::vector<std::string>& command) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, ends_.front(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends_.back(), STDERR_FILENO);
  // What this program ignores or blocks for itself is none of the child's business.
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  for (int signal : {SIGPIPE, SIGXFSZ, SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&defaults, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const int error = posix_spawnp(&pid_, words[0], &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

void ChildProcess::resize() {
  for (const ChildStream& stream : streams_) {
    winsize size{};
    if (stream.is_terminal && stream.from >= 0 && ioctl(stream.to, TIOCGWINSZ, &size) == 0)
      ioctl(stream.from, TIOCSWINSZ, &size);
  }
}

std::optional<int> ChildProcess::poll_end() {
  int status = 0;
  if (!end_ && waitpid(pid_, &status, WNOHANG) == pid_) end_ = status;
  return end_;
}

}  // namespace cutopsy
