#include "engine/live/byte_queue.h"

#include <algorithm>
#include <cstring>

namespace cutopsy {

void ByteQueue::push(std::string_view bytes) {
  constexpr std::size_t kBlockBytes = 64 * 1024;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closed_ || bytes_ < kMaxBytes; });
  if (closed_ || bytes.empty()) return;
  const bool fits = !blocks_.empty() && blocks_.back().size() + bytes.size() <= kBlockBytes;
  if (fits) {
    blocks_.back().append(bytes);
  } else {
    blocks_.emplace_back(bytes).reserve(kBlockBytes);
  }
  bytes_ += bytes.size();
  changed_.notify_all();
}

void ByteQueue::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

std::size_t ByteQueue::read(std::span<char> buffer) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closed_ || bytes_ > 0; });
  std::size_t copied = 0;
  while (copied < buffer.size() && !blocks_.empty()) {
    const std::string& block = blocks_.front();
    const std::size_t part = std::min(buffer.size() - copied, block.size() - first_at_);
    std::memcpy(buffer.data() + copied, block.data() + first_at_, part);
    copied += part;
    first_at_ += part;
    if (first_at_ < block.size()) break;
    blocks_.pop_front();
    first_at_ = 0;
  }
  bytes_ -= copied;
  changed_.notify_all();
  return copied;
}

}  // namespace cutopsy
