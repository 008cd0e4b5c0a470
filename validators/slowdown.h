// Which of the reasons that NVML gives for low clocks are faults of cooling or power supply.
#pragma once

#include <cstdint>
#include <string>

namespace cutopsy {

/// In words, separated by semicolons; "" for none. `reasons` are bits of NvmlClocksReason. The software power cap is
/// none: under load a GPU lives at it.
std::string slowdown_in(std::uint64_t reasons);

}  // namespace cutopsy
