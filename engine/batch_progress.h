// How far a run over many inputs has come.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cutopsy {

/// Written by the threads of the run, read by whoever shows it.
struct BatchProgress {
  std::atomic<std::uint64_t> bytes = 0;  ///< read so far, as they are stored
  std::atomic<std::uint64_t> all_bytes = 0;
  std::atomic<std::size_t> inputs = 0;  ///< read to their end
  std::atomic<std::size_t> all_inputs = 0;
};

}  // namespace cutopsy
