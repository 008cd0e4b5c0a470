#include "engine/chunk_scans.h"

#include <utility>

namespace cutopsy {

ChunkScans::ChunkScans(ChunkReader& chunks, const LiteralScanner& scanner, ScanCrew* crew)
    : chunks_(chunks), scanner_(scanner), crew_(crew) {
  if (crew_) crew_->begin_input();
}

ChunkScans::~ChunkScans() {
  settle();
  if (crew_) crew_->end_input();
}

// Nobody may scan a task that is gone.
void ChunkScans::settle() noexcept {
  for (const Task& task : ahead_) {
    try {
      crew_->finish(*task, scratch_);
    } catch (...) {  // nobody asks for this chunk any more
    }
  }
}

bool ChunkScans::read(ScannedChunk& chunk) {
  if (ended_ || !chunks_.next(chunk.bytes)) {
    ended_ = true;
    return false;
  }
  if (chunks_.bytes() >= kSmallInputBytes) scanner_.prepare_for_large_input();
  return true;
}

void ChunkScans::read_ahead(std::size_t count) {
  while (ahead_.size() < count && !ended_) {
    Task task = spare_.empty() ? std::make_unique<ScanTask>() : std::move(spare_.back());
    if (!spare_.empty()) spare_.pop_back();
    try {
      if (!read(task->chunk)) return;
    } catch (...) {
      failure_ = std::current_exception();
      ended_ = true;
      return;
    }
    chunks_.hand_over(task->buffer);
    crew_->offer(*task);
    ahead_.push_back(std::move(task));
  }
}

ScannedChunk* ChunkScans::next() {
  if (given_) spare_.push_back(std::move(given_));
  if (crew_) read_ahead(crew_->ahead());
  if (!ahead_.empty()) {
    given_ = std::move(ahead_.front());
    ahead_.pop_front();
    crew_->finish(*given_, scratch_);
    return &given_->chunk;
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  if (!read(own_)) return nullptr;
  scan_chunk(scanner_, scratch_, own_);
  return &own_;
}

}  // namespace cutopsy
