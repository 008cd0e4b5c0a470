// Bytes on their way from the thread that reads them to the one that analyses them.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/source/byte_source.h"

namespace cutopsy {

/// Bounded: push() waits while kMaxBytes are under way, so that a fast writer is slowed down instead of filling memory.
/// One thread pushes and closes, another reads.
class ByteQueue : public ByteSource {
 public:
  void push(std::string_view bytes);
  /// No more bytes come: read() returns 0 when all are read. Later pushes are dropped.
  void close();

  /// Waits for bytes.
  std::size_t read(std::span<char> buffer) override;

  static constexpr std::size_t kMaxBytes = 8 << 20;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> blocks_;
  std::size_t first_at_ = 0;  // bytes of the first block that were read
  std::size_t bytes_ = 0;
  bool closed_ = false;
};

}  // namespace cutopsy
