// Threads without an input of their own scan the chunks of other threads' inputs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace cutopsy {

class ChunkScans;

/// Shared by all threads of a run: those that read inputs, and those that have none left and help. Thread-safe.
class ScanCrew {
 public:
  /// Reads and scans ahead in the inputs of others until close().
  void help();
  /// No more inputs will come: lets the helpers go.
  void close();

  bool has_helpers() const { return helpers_ > 0; }
  /// How many chunks of an input may be held at a time: over all inputs a few for each thread.
  std::size_t chunks_for_an_input() const;

  void add(ChunkScans& input);
  /// Returns when no helper is at work for `input`.
  void remove(ChunkScans& input);
  /// A helper may find work that was not there before.
  void wake();

 private:
  struct Member {
    ChunkScans* input;
    std::size_t helpers = 0;  // at work for it
  };
  using Lock = std::unique_lock<std::mutex>;

  Member* find_work();
  Member& member(ChunkScans& input);

  mutable std::mutex mutex_;
  std::condition_variable work_, left_;
  std::vector<Member> members_;
  std::atomic<std::size_t> helpers_ = 0;
  std::atomic<std::size_t> sleepers_ = 0;
  bool closed_ = false;
};

}  // namespace cutopsy
