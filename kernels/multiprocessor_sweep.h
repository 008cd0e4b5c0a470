// Sweep of the multiprocessors: every block computes the same values, so that one that differs names its
// multiprocessor. The caller knows every value beforehand and compares them itself: a multiprocessor that computes
// wrongly is not asked to judge itself.
#pragma once

#include <cmath>
#include <cstring>

#include "kernels/machine.h"

namespace cutopsy::kernels {

/// The multiprocessor that a block ran on, %smid, when it began and when it ended. They differ when the block was
/// moved in between: then nothing that it computed says anything of either.
struct SmSpan {
  std::uint32_t begin;
  std::uint32_t end;
};

/// Writes the block's span: `begin` before its work, `end` after it.
template <typename Machine>
CUTOPSY_DEVICE void note_begin(Machine& machine, SmSpan* spans) {
  machine.each([&](unsigned thread) {
    if (thread == 0) machine.store(&spans[machine.block()].begin, machine.sm());
  });
}
template <typename Machine>
CUTOPSY_DEVICE void note_end(Machine& machine, SmSpan* spans) {
  machine.sync();
  machine.each([&](unsigned thread) {
    if (thread == 0) machine.store(&spans[machine.block()].end, machine.sm());
  });
}

/// The same bits as another type.
template <typename To, typename From>
CUTOPSY_DEVICE inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

/// What thread `thread` of every block computes in `rounds` rounds: 64-bit integer mixing, and multiply-adds in 32 and
/// 64 bits, a division and a square root of numbers between 1 and 4. IEEE 754 fixes each result, since every
/// multiplication that an addition follows is written as one fused operation. Each round takes in the bits of the one
/// before.
CUTOPSY_DEVICE inline std::uint64_t sweep_value(std::uint32_t thread, std::uint32_t seed, std::uint32_t rounds) {
  constexpr std::uint32_t kOneSingle = 0x3F800000u;            // 1.0f
  constexpr std::uint64_t kOneDouble = 0x3FF0000000000000ULL;  // 1.0
  std::uint64_t state = (static_cast<std::uint64_t>(seed) << 32 | thread) * 0x9E3779B97F4A7C15ULL + 1;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    state = (state ^ (state >> 29)) * 0xBF58476D1CE4E5B9ULL;
    const float x = bits_as<float>(kOneSingle | static_cast<std::uint32_t>(state >> 41));
    const float y = bits_as<float>(kOneSingle | static_cast<std::uint32_t>(state & 0x7FFFFFu));
    const float fused = ::fmaf(x, y, -0.5f);
    const float quotient = fused / x;
    const float root = ::sqrtf(fused);
    const double wide = ::fma(bits_as<double>(kOneDouble | state >> 12), static_cast<double>(y), -0.5);
    state += static_cast<std::uint64_t>(bits_as<std::uint32_t>(quotient)) << 32 | bits_as<std::uint32_t>(root);
    state ^= bits_as<std::uint64_t>(wide) * 3 + bits_as<std::uint32_t>(fused);
  }
  return state;
}

/// Writes sweep_value() of each thread to results[thread of the grid]. Moves 8 bytes a thread.
template <typename Machine>
CUTOPSY_DEVICE void sweep_multiprocessors(Machine& machine, SmSpan* spans, std::uint64_t* results, std::uint32_t seed,
                                          std::uint32_t rounds) {
  note_begin(machine, spans);
  machine.each([&](unsigned thread) {
    machine.store(results + thread_of_grid(machine, thread), machine.computed(sweep_value(thread, seed, rounds)));
  });
  note_end(machine, spans);
}

}  // namespace cutopsy::kernels
