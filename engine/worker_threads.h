// Work on many items, on several cores.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace cutopsy {

/// As many threads as this process may use cores.
unsigned available_cores();

/// Calls `work` once with each of `items`, begun in their order, on up to `jobs` threads, the caller's among them. A
/// thread that finds none left calls `idle`, if given, which should return when `idle_no_more` is called: by the thread
/// that finishes the last item. Rethrows the first exception of `work`, after all threads have ended.
struct WorkerHooks {
  std::function<void()> idle = {};
  std::function<void()> idle_no_more = {};
};
void for_each_item(std::span<const std::size_t> items, unsigned jobs, const std::function<void(std::size_t)>& work,
                   const WorkerHooks& hooks = {});

}  // namespace cutopsy
