// Threads without an input of their own scan the chunks of other threads' inputs.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <vector>

#include "engine/scanned_chunk.h"

namespace cutopsy {

/// A chunk that any thread may scan.
struct ScanTask {
  std::vector<char> buffer;  ///< holds the chunk's bytes
  ScannedChunk chunk;
  bool done = false;              ///< guarded by the crew
  std::exception_ptr error = {};  ///< why the scan failed
};

/// Shared by all threads of a run: those that read inputs offer tasks, those that have none left help. Thread-safe.
class ScanCrew {
 public:
  explicit ScanCrew(const LiteralScanner& scanner) : scanner_(scanner) {}

  /// Scans what is offered until close().
  void help();
  /// No more tasks will come: lets the helpers go.
  void close();

  /// How many chunks an input may read ahead now; 0 when nobody helps. Over all inputs that is a few a thread.
  std::size_t ahead() const;
  /// An input is being read, or no longer: what helpers can do is shared between them.
  void begin_input();
  void end_input();

  /// `task` must stay until finish().
  void offer(ScanTask& task);
  /// Returns when `task` is done, and throws what its scan threw. Until then this thread scans what is on offer.
  void finish(ScanTask& task, LiteralScanner::Scratch& scratch);

 private:
  using Lock = std::unique_lock<std::mutex>;

  void scan_next(Lock& lock, LiteralScanner::Scratch& scratch);

  const LiteralScanner& scanner_;
  mutable std::mutex mutex_;
  std::condition_variable offered_, done_;
  std::deque<ScanTask*> tasks_;  // on offer
  std::size_t helpers_ = 0;
  std::size_t inputs_ = 0;
  bool closed_ = false;
};

}  // namespace cutopsy
