#include "engine/scan_crew.h"

#include <algorithm>

namespace cutopsy {

void ScanCrew::help() {
  LiteralScanner::Scratch scratch;
  Lock lock(mutex_);
  ++helpers_;
  while (true) {
    offered_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
    if (tasks_.empty()) break;
    scan_next(lock, scratch);
  }
  --helpers_;
}

void ScanCrew::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  offered_.notify_all();
}

std::size_t ScanCrew::ahead() const {
  const std::lock_guard lock(mutex_);
  constexpr std::size_t kTasksForAThread = 3;
  constexpr std::size_t kFewest = 2;
  if (helpers_ == 0) return 0;
  return std::max(kFewest, kTasksForAThread * (helpers_ + 1) / std::max<std::size_t>(inputs_, 1));
}

void ScanCrew::begin_input() {
  const std::lock_guard lock(mutex_);
  ++inputs_;
}

void ScanCrew::end_input() {
  const std::lock_guard lock(mutex_);
  --inputs_;
}

void ScanCrew::offer(ScanTask& task) {
  const std::lock_guard lock(mutex_);
  task.done = false;
  tasks_.push_back(&task);
  offered_.notify_one();
}

void ScanCrew::finish(ScanTask& task, LiteralScanner::Scratch& scratch) {
  Lock lock(mutex_);
  while (!task.done) {
    if (tasks_.empty()) {
      done_.wait(lock);
    } else {
      scan_next(lock, scratch);
    }
  }
  if (task.error) std::rethrow_exception(task.error);
}

// Takes the task that was offered first, and lets go of the lock while it scans.
void ScanCrew::scan_next(Lock& lock, LiteralScanner::Scratch& scratch) {
  ScanTask& task = *tasks_.front();
  tasks_.pop_front();
  lock.unlock();
  std::exception_ptr error;
  try {
    scan_chunk(scanner_, scratch, task.chunk);
  } catch (...) {
    error = std::current_exception();
  }
  lock.lock();
  task.error = error;
  task.done = true;
  done_.notify_all();
}

}  // namespace cutopsy
