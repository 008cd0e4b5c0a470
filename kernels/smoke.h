// The smallest kernels that tell whether a device computes and launches at its limits. Every result is known to the
// caller beforehand.
#pragma once

#include "kernels/machine.h"

namespace cutopsy::kernels {

/// What thread `thread` of the grid computes: integer mixing, and a multiply-add that is exact in 32-bit floats
/// whether or not it is fused (4095 * 4095 + 1 < 2^24).
CUTOPSY_DEVICE inline std::uint32_t smoke_value(std::uint32_t thread, std::uint32_t seed) {
  std::uint32_t x = thread * 2654435761u + seed;
  for (int round = 0; round < 16; ++round) {
    x ^= x >> 15;
    x *= 0x2C1B3C6Du;
  }
  const float exact = static_cast<float>(x & 0xFFFu) * 4095.0f + 1.0f;
  return x ^ static_cast<std::uint32_t>(exact);
}

/// Writes smoke_value() of every thread to results[thread]. Moves 4 bytes a thread.
template <typename Machine>
CUTOPSY_DEVICE void smoke(Machine& machine, std::uint32_t* results, std::uint32_t seed) {
  machine.each([&](unsigned thread) {
    const std::uint64_t mine = thread_of_grid(machine, thread);
    machine.store(results + mine, machine.computed(smoke_value(static_cast<std::uint32_t>(mine), seed)));
  });
}

/// Fills `words` 32-bit words of the block's dynamic shared memory, then lets other threads than the writers count the
/// words that hold what they should: total[block] grows to `words`. The caller zeroes the totals.
template <typename Machine>
CUTOPSY_DEVICE void exchange_in_shared_memory(Machine& machine, std::uint64_t* totals, std::uint32_t words) {
  machine.each([&](unsigned thread) {
    std::uint32_t* const shared = machine.template shared<std::uint32_t>();
    for (std::uint32_t i = thread; i < words; i += machine.threads()) shared[i] = smoke_value(i, machine.block());
  });
  machine.sync();
  machine.each([&](unsigned thread) {
    const std::uint32_t* const shared = machine.template shared<std::uint32_t>();
    std::uint64_t right = 0;
    for (std::uint32_t i = machine.threads() - 1 - thread; i < words; i += machine.threads()) {
      right += shared[i] == machine.computed(smoke_value(i, machine.block()));
    }
    machine.add(totals + machine.block(), right);
  });
}

/// Values that live at once in mix_in_registers(): with addresses and counters just below the 255 registers that a
/// thread can have.
inline constexpr unsigned kLiveValues = 192;

/// What thread `thread` of the grid computes with kLiveValues values in registers: each round mixes every value with
/// its neighbour, so that none can be dropped before the last round.
CUTOPSY_DEVICE inline std::uint32_t mixed_value(std::uint32_t thread, std::uint32_t seed) {
  std::uint32_t values[kLiveValues];
  CUTOPSY_UNROLL
  for (unsigned i = 0; i < kLiveValues; ++i) values[i] = (thread + i) * 2654435761u ^ seed;
  for (int round = 0; round < 4; ++round) {
    CUTOPSY_UNROLL
    for (unsigned i = 0; i < kLiveValues; ++i) values[i] = values[i] * 0x2C1B3C6Du + values[(i + 1) % kLiveValues];
  }
  std::uint32_t all = 0;
  CUTOPSY_UNROLL
  for (unsigned i = 0; i < kLiveValues; ++i) all ^= values[i];
  return all;
}

/// Writes mixed_value() of every thread to results[thread]. Moves 4 bytes a thread.
template <typename Machine>
CUTOPSY_DEVICE void mix_in_registers(Machine& machine, std::uint32_t* results, std::uint32_t seed) {
  machine.each([&](unsigned thread) {
    const std::uint64_t mine = thread_of_grid(machine, thread);
    machine.store(results + mine, machine.computed(mixed_value(static_cast<std::uint32_t>(mine), seed)));
  });
}

}  // namespace cutopsy::kernels
