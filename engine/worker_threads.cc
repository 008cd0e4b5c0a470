#include "engine/worker_threads.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace cutopsy {

unsigned available_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(CPU_COUNT(&cores));
}

void for_each_item(std::span<const std::size_t> items, unsigned jobs, const std::function<void(std::size_t)>& work,
                   const WorkerHooks& hooks) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> left = items.size();
  std::mutex mutex;
  std::exception_ptr failure;
  const auto keep_failure = [&] {
    const std::lock_guard lock(mutex);
    if (!failure) failure = std::current_exception();
  };
  const auto run = [&] {
    for (std::size_t i = next++; i < items.size(); i = next++) {
      try {
        work(items[i]);
      } catch (...) {
        keep_failure();
      }
      if (--left == 0 && hooks.idle_no_more) hooks.idle_no_more();
    }
    try {
      if (hooks.idle && left > 0) hooks.idle();
    } catch (...) {
      keep_failure();
    }
  };
  std::vector<std::jthread> threads;
  try {
    while (threads.size() + 1 < jobs) threads.emplace_back(run);
  } catch (const std::system_error&) {  // fewer threads will do
  }
  run();
  threads.clear();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace cutopsy
