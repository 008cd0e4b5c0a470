// Errors that NVML counts, read twice: what the counts grew by in between, and from where on that is a fault.
//
// A count that goes backwards (the driver was loaded again, the GPU was reset) or that cannot be read any more says
// nothing; that is never taken for health. The limits stand in the table of error_counters.cc, with their origin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validators/answer.h"
#include "validators/nvml.h"

namespace cutopsy {

enum class CounterGroup { memory, pcie, nvlink };

struct ErrorCounter;

struct CounterReading {
  const ErrorCounter* counter = nullptr;
  NvmlResult<std::uint64_t> count;  ///< of NVLinks the sum over the active ones
};

/// All counters of the group, in the table's order. A GPU without NVLink has readings without values.
std::vector<CounterReading> read_counters(const Nvml& nvml, NvmlDevice device, CounterGroup group);

/// What became of the counters of a group between two readings of them.
struct CounterGrowth {
  std::string faults;       ///< " crc +120": those that grew by as much as is a fault; "" when none did
  std::string below_limit;  ///< those that grew by less
  std::string backwards;    ///< those that are lower than before
  std::string totals;       ///< those that are above 0, by their last reading
  std::size_t compared = 0;
  NvmlStatus refusal;  ///< why one was not compared; one that is not known here counts less than any other
  std::vector<Measurement> grown_by;
};

/// Pure. `seconds` lie between the readings; both are of the same group.
CounterGrowth compare_counters(const std::vector<CounterReading>& before, const std::vector<CounterReading>& after,
                               double seconds);

}  // namespace cutopsy
