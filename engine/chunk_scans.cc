#include "engine/chunk_scans.h"

#include <utility>

namespace cutopsy {
namespace {

// Reading a chunk of a file takes less time than falling asleep and being woken.
std::unique_lock<std::mutex> lock_soon(std::mutex& mutex) {
  constexpr int kTrials = 10'000;
  for (int trial = 0; trial < kTrials; ++trial) {
    if (std::unique_lock lock(mutex, std::try_to_lock); lock) return lock;
  }
  return std::unique_lock(mutex);
}

}  // namespace

ChunkScans::ChunkScans(ChunkReader& chunks, const LiteralScanner& scanner, ScanCrew* crew)
    : chunks_(chunks), scanner_(scanner), crew_(crew) {
  if (crew_) crew_->add(*this);
}

ChunkScans::~ChunkScans() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  if (crew_) crew_->remove(*this);
}

bool ChunkScans::read(ScannedChunk& chunk) {
  if (!chunks_.next(chunk.bytes)) return false;
  if (chunks_.bytes() >= kSmallInputBytes) scanner_.prepare_for_large_input();
  return true;
}

ScannedChunk* ChunkScans::next() {
  if (crew_ && crew_->has_helpers()) {
    const std::size_t most = crew_->chunks_for_an_input();  // before the lock: the crew's own is taken first
    const std::lock_guard lock(mutex_);
    most_ahead_ = most;
  }
  if (most_ahead_ > 0) return next_shared();
  if (!read(own_)) return nullptr;
  scan_chunk(scanner_, scratch_, own_);
  return &own_;
}

ScannedChunk* ChunkScans::next_shared() {
  while (true) {
    if (Held* chunk = first()) {
      chunk->done.wait(false);
      const std::lock_guard lock(mutex_);
      if (given_) spare_.push_front(std::move(given_));
      given_ = std::move(ahead_.front());
      ahead_.pop_front();
      break;
    }
    if (std::unique_lock reading(reading_, std::try_to_lock); reading && scan_one(scratch_, std::move(reading)))
      continue;
    if (is_over()) return nullptr;
    wait_for_others();
  }
  if (has_work()) crew_->wake();
  if (given_->error) std::rethrow_exception(given_->error);
  return &given_->chunk;
}

// The chunk to be given next, when it is scanned or there is nothing to do until then.
ChunkScans::Held* ChunkScans::first() {
  const std::lock_guard lock(mutex_);
  if (ahead_.empty()) return nullptr;
  Held* chunk = ahead_.front().get();
  return chunk->done || ended_ || ahead_.size() >= most_ahead_ ? chunk : nullptr;
}

// True at the end; throws what reading failed with.
bool ChunkScans::is_over() {
  const std::lock_guard lock(mutex_);
  if (!ended_ || !ahead_.empty()) return false;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  return true;
}

// Until the chunk to be given next is scanned or, when there is none, until the one that is being read is there.
void ChunkScans::wait_for_others() {
  std::unique_lock lock(mutex_);
  Held* const chunk = ahead_.empty() ? nullptr : ahead_.front().get();
  lock.unlock();
  if (chunk) {
    chunk->done.wait(false);
  } else {
    lock_soon(reading_).unlock();
  }
}

void ChunkScans::help(LiteralScanner::Scratch& scratch) {
  while (scan_one(scratch, lock_soon(reading_))) {
  }
}

// Falling asleep and being woken costs as much as a scan: it should be worth several.
bool ChunkScans::has_work() const {
  const std::lock_guard lock(mutex_);
  return !ended_ && ahead_.size() * 2 < most_ahead_;
}

// False when enough has been read, and at the end.
bool ChunkScans::scan_one(LiteralScanner::Scratch& scratch, std::unique_lock<std::mutex> reading) {
  HeldPtr held = take_spare();
  if (!held || !read_next(*held)) return false;
  Held& chunk = *held;
  try {
    const std::lock_guard lock(mutex_);
    ahead_.push_back(std::move(held));
  } catch (...) {
    end_reading(std::current_exception());
    throw;
  }
  reading.unlock();
  try {
    scan_chunk(scanner_, scratch, chunk.chunk);
  } catch (...) {
    chunk.error = std::current_exception();
  }
  chunk.done = true;
  chunk.done.notify_one();
  return true;
}

// Null when there is no room.
ChunkScans::HeldPtr ChunkScans::take_spare() {
  const std::lock_guard lock(mutex_);
  if (ended_ || ahead_.size() >= most_ahead_) return nullptr;
  if (spare_.empty()) return std::make_unique<Held>();
  HeldPtr held = std::move(spare_.front());
  spare_.pop_front();
  held->done = false;
  return held;
}

bool ChunkScans::read_next(Held& held) {
  try {
    if (read(held.chunk)) {
      chunks_.hand_over(held.buffer);
      return true;
    }
    end_reading(nullptr);
  } catch (...) {
    end_reading(std::current_exception());
  }
  return false;
}

// What was read last is not there: `failure`, if any, is thrown when all before it was given.
void ChunkScans::end_reading(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  failure_ = std::move(failure);
}

}  // namespace cutopsy
