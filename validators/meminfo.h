// The machine's memory, from /proc/meminfo: https://man7.org/linux/man-pages/man5/proc_meminfo.5.html
#pragma once

#include <cstdint>
#include <optional>

#include "validators/host.h"

namespace cutopsy {

/// All in bytes. A container is shown the machine's numbers, not its own.
struct Meminfo {
  std::uint64_t total = 0;
  std::uint64_t available = 0;  ///< without swapping
  std::uint64_t swap_free = 0;
  std::uint64_t commit_limit = 0;  ///< binds only when vm.overcommit_memory is 2
  std::uint64_t committed = 0;
};

/// No value when the file cannot be read or lacks the total or what is available.
std::optional<Meminfo> read_meminfo(const Host& host);

}  // namespace cutopsy
