// Signals to this process, read like input instead of interrupting it.
#pragma once

#include <csignal>
#include <optional>
#include <vector>

namespace cutopsy {

struct ReceivedSignal {
  int number = 0;
  bool from_terminal = false;  ///< sent by the terminal to the whole process group, not by a process
};

/// While it lives, the signals are blocked in the thread that made it and in threads that it starts later, and queue up
/// here. Make it before the first thread.
class SignalWatch {
 public:
  explicit SignalWatch(const std::vector<int>& signals);
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// Readable (poll) when a signal is there.
  int descriptor() const { return descriptor_; }
  /// The next signal; does not wait.
  std::optional<ReceivedSignal> next();

 private:
  sigset_t before_{};
  int descriptor_ = -1;
};

}  // namespace cutopsy
