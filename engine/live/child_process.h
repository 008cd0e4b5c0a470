// A program that is watched: started without a shell, its output read by us.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace cutopsy {

/// An output stream of the child.
struct ChildStream {
  int from = -1;             ///< we read it here
  int to = -1;               ///< where it goes: our standard output or standard error
  bool is_terminal = false;  ///< `from` is the master of a pseudo-terminal
  bool is_roomy = false;     ///< `from` is a pipe that holds kRoomyBytes
};

inline constexpr int kRoomyBytes = 1 << 20;  ///< the most that Linux gives a user's pipe, /proc/sys/fs/pipe-max-size

class ChildProcess {
 public:
  /// Starts `command` (found by PATH). It keeps our standard input, environment and process group: Ctrl-C and Ctrl-Z
  /// reach it from the terminal as ever. An output of ours that is a terminal is one for the child too; where ours
  /// are the same file, the child's are one stream, so that their order is kept. On failure `error()` is set.
  explicit ChildProcess(const std::vector<std::string>& command);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Why it could not be started, as errno; 0 when it runs.
  int error() const { return error_; }
  pid_t pid() const { return pid_; }
  std::vector<ChildStream>& streams() { return streams_; }

  /// Takes over the size of our terminal.
  void resize();
  /// The wait status (waitpid) if it has ended.
  std::optional<int> poll_end();

 private:
  void open_streams();
  int writing_end(ChildStream& stream);
  int spawn(const std::vector<std::string>& command);

  int error_ = 0;
  pid_t pid_ = -1;
  std::optional<int> end_;
  std::vector<ChildStream> streams_;
  std::vector<int> ends_;  // the child's side of each stream, until it is started
};

}  // namespace cutopsy
