// The arithmetic of a message about an allocation that failed.
#pragma once

#include <cstdint>
#include <string_view>

#include "parsers/event.h"

namespace cutopsy {

/// Memory of other processes that a message names.
struct ForeignMemory {
  std::string_view first;  ///< that of the first process, as printed
  std::uint64_t bytes = 0;
  int processes = 0;
};

/// Adds to the fields of a `gpu.oom` event everything that follows from the sizes that it has as printed: their
/// values in bytes, what other processes hold, shares of the capacity, and whether the request would have fitted.
void add_memory_balance(const ForeignMemory& foreign, Fields& fields);

}  // namespace cutopsy
