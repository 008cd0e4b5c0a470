// The program while it runs: its children, the files that they have mapped, and its end.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tests/e2e/simulated_machine.h"

namespace cutopsy {

/// Whether a process has a file mapped whose name holds `part`.
inline bool maps(pid_t pid, const std::string& part) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/maps");
  return std::string(std::istreambuf_iterator<char>(file), {}).find(part) != std::string::npos;
}

inline std::vector<pid_t> children_of(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children");
  return {std::istream_iterator<pid_t>(file), {}};
}

/// Whether `happened` becomes true within 20 seconds.
inline bool wait_until(const std::function<bool()>& happened) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!happened()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// Ended, or dead and not waited for.
inline bool is_gone(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::size_t state = text.rfind(") ");
  return state == std::string::npos || text[state + 2] == 'Z';
}

/// Started on a simulated machine; killed at the end of its life when it runs still.
class RunningCommand {
 public:
  /// `ignored` is a signal that it is started to ignore, 0 for none.
  RunningCommand(const SimulatedMachine& machine, std::vector<std::string> arguments, int ignored = 0)
      : folder_(machine.folder()) {
    fflush(nullptr);  // or the child would write it again
    pid_ = fork();
    if (pid_ != 0) return;
    setenv("ASAN_OPTIONS", "handle_segv=0:handle_abort=0", 1);
    setenv("CUTOPSY_FAKE_GPU", folder_.path("scenario").c_str(), 1);
    setenv("LD_LIBRARY_PATH", CUTOPSY_FAKE_GPU_LIBRARIES, 1);
    if (ignored != 0) signal(ignored, SIG_IGN);
    const bool redirected =
        freopen(folder_.path("out").c_str(), "w", stdout) && freopen(folder_.path("err").c_str(), "w", stderr);
    std::vector<char*> words = {const_cast<char*>(CUTOPSY_BINARY)};
    for (std::string& argument : arguments) words.push_back(argument.data());
    words.push_back(nullptr);
    if (redirected) execv(CUTOPSY_BINARY, words.data());
    _exit(99);
  }
  ~RunningCommand() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }
  RunningCommand(const RunningCommand&) = delete;
  RunningCommand& operator=(const RunningCommand&) = delete;

  pid_t pid() const { return pid_; }
  /// Waits for a child that has loaded the library; its process id, or -1.
  pid_t child_with(const std::string& library) const {
    pid_t found = -1;
    wait_until([&] {
      for (const pid_t child : children_of(pid_)) {
        if (maps(child, library)) found = child;
      }
      return found > 0;
    });
    return found;
  }
  /// Waits for its end: exit status, or 128 and the signal; -1 when it does not end.
  int end() {
    int status = 0;
    if (!wait_until([&] { return waitpid(pid_, &status, WNOHANG) == pid_; })) return -1;
    pid_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  std::string out() const { return folder_.read("out"); }
  std::string err() const { return folder_.read("err"); }

 private:
  const TemporaryFolder& folder_;
  pid_t pid_ = -1;
};

}  // namespace cutopsy
