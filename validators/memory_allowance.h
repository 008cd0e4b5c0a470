// How much device memory a check may take without harm to others.
#pragma once

#include <cstdint>
#include <string_view>

#include "validators/cuda_context.h"
#include "validators/host.h"

namespace cutopsy {

struct MemoryAllowance {
  std::uint64_t free_bytes = 0;
  std::uint64_t total_bytes = 0;
  /// What may be taken: 90% of what is free; 10% where device memory is the host's (integrated devices) or is promised
  /// beyond what there is (WSL), since there the host starts to kill processes.
  std::uint64_t usable_bytes = 0;
  std::string_view why_less;  ///< "the device's memory is the host's", ...; "" for the 90%
};

/// Asks the open context's device.
CudaStatus measure(const CudaContext& context, const Host& host, MemoryAllowance* allowance);

}  // namespace cutopsy
