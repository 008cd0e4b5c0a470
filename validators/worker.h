// A child process that asks the machine: drivers crash, hang and never come back, and only a child can be left behind.
//
// It is this binary again under a hidden verb (posix_spawn: CUDA does not work in a forked child). Questions go to its
// standard input, answers come on descriptor 3, so that what a library prints harms nothing.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "validators/message.h"

namespace cutopsy {

/// The verb under which a binary serves as a worker: `BINARY __worker KIND SYSROOT`.
inline constexpr const char* kWorkerVerb = "__worker";

enum class WorkerKind {
  host,  ///< opens no driver library; serves until its input ends
  nvml,  ///< the observer: holds libnvidia-ml open until its input ends, so that counters are not reset in between
  cuda,  ///< makes a CUDA context; serves one question
};

/// How an exchange with a worker ended.
struct Exchange {
  enum class End { answered, not_started, died, timed_out, left_behind, interrupted };
  End end = End::answered;
  Message message;     ///< when answered
  std::string detail;  ///< otherwise what happened: "ended by signal 11 (Segmentation fault)", "no answer in 5.0 s"
};

class Worker {
 public:
  /// `binary` is run as a worker of `kind` with our environment, changed by `environment` (an empty value removes the
  /// variable). `sysroot` as in Host.
  Worker(const std::string& binary, WorkerKind kind, const std::string& sysroot,
         const std::map<std::string, std::string>& environment = {});
  /// Ends the child: it is killed when it does not leave by itself, and left behind when even that does not end it.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Sends a question and waits for the answer, until the deadline or until the descriptor `interrupt` (-1 for none)
  /// becomes readable. The deadline holds for the sending too. A worker that did not answer is killed: every later
  /// question ends the same way.
  Exchange ask(const Question& question, std::chrono::milliseconds deadline, int interrupt = -1);

  bool is_running() const { return pid_ > 0 && !failure_; }
  pid_t pid() const { return pid_; }

 private:
  Exchange fail(Exchange::End end, std::string detail);
  Exchange wait_for_message(std::chrono::steady_clock::time_point until, int interrupt);
  /// Whether the child's end was seen within the time; `how` is told of it.
  bool reap(std::chrono::milliseconds within, std::string* how);

  pid_t pid_ = -1;
  int to_child_ = -1;
  int from_child_ = -1;
  std::string received_;
  std::optional<Exchange> failure_;
};

/// The worker's side: answers questions until the input ends. Returns the exit status. `kind` is "host", "nvml" or
/// "cuda"; anything else gives 2.
int run_worker(const std::string& kind, const std::string& sysroot);

}  // namespace cutopsy
