#include "engine/scan_crew.h"

#include <algorithm>

#include "engine/chunk_scans.h"

namespace cutopsy {

void ScanCrew::help() {
  LiteralScanner::Scratch scratch;
  Lock lock(mutex_);
  ++helpers_;
  while (!closed_) {
    ++sleepers_;
    Member* found = find_work();
    if (!found) work_.wait(lock);
    --sleepers_;
    if (!found) continue;
    ChunkScans& input = *found->input;
    ++found->helpers;
    lock.unlock();
    try {
      input.help(scratch);
    } catch (...) {  // no memory: the input's own thread goes on alone
    }
    lock.lock();
    --member(input).helpers;
    left_.notify_all();
  }
  --helpers_;
}

void ScanCrew::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  work_.notify_all();
}

std::size_t ScanCrew::chunks_for_an_input() const {
  constexpr std::size_t kForAnInput = 4;
  constexpr std::size_t kForAThread = 2;
  const std::lock_guard lock(mutex_);
  return kForAnInput + kForAThread * helpers_ / std::max<std::size_t>(members_.size(), 1);
}

void ScanCrew::add(ChunkScans& input) {
  const std::lock_guard lock(mutex_);
  members_.push_back({&input});
}

void ScanCrew::remove(ChunkScans& input) {
  Lock lock(mutex_);
  left_.wait(lock, [&] { return member(input).helpers == 0; });
  std::erase_if(members_, [&](const Member& member) { return member.input == &input; });
}

void ScanCrew::wake() {
  if (sleepers_ == 0) return;
  const std::lock_guard lock(mutex_);
  work_.notify_one();
}

ScanCrew::Member* ScanCrew::find_work() {
  const auto found = std::ranges::find_if(members_, [](const Member& member) { return member.input->has_work(); });
  return found == members_.end() ? nullptr : &*found;
}

ScanCrew::Member& ScanCrew::member(ChunkScans& input) {
  return *std::ranges::find(members_, &input, &Member::input);
}

}  // namespace cutopsy
