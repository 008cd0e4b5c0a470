// The memory that a process's control groups allow it.
//
// Version 2: https://docs.kernel.org/admin-guide/cgroup-v2.html#memory-interface-files; version 1:
// https://docs.kernel.org/admin-guide/cgroup-v1/memory.html. Limits bind at every level above the process; those above
// a container's own group cannot be seen from inside.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validators/host.h"

namespace cutopsy {

/// One level: a folder of the memory controller.
struct MemoryCgroup {
  std::string folder;  ///< "/sys/fs/cgroup/user.slice/..."
  bool version_1 = false;
  std::optional<std::uint64_t> limit;  ///< bytes, the lower of memory.max and memory.high; no value without one
  std::uint64_t used = 0;              ///< bytes, without file cache that the kernel drops when asked
  std::optional<std::uint64_t> kills;  ///< processes that the kernel killed here for lack of memory; none if untold

  /// Bytes that are left below the limit.
  std::uint64_t left() const { return limit && *limit > used ? *limit - used : 0; }
};

/// The levels of the process whose folder in /proc is `process`, its own first; empty when /sys/fs/cgroup is hidden or
/// the process is outside what we may see of it.
std::vector<MemoryCgroup> memory_cgroups(const Host& host, std::string_view process);
/// The level with the least left; nullptr when none has a limit.
const MemoryCgroup* tightest(const std::vector<MemoryCgroup>& levels);

}  // namespace cutopsy
