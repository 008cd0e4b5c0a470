// What checks have in common that ask the observer what it saw while others loaded the GPU.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <string_view>

#include "validators/check.h"
#include "validators/load_watch.h"

namespace cutopsy {

/// Check::loads of a check that always asks about the same ones.
template <const auto& kNames>
std::span<const std::string_view> loads(const Parameters&) {
  return kNames;
}

inline constexpr std::array<std::string_view, 1> kMemoryLoads = {"memory-pattern"};
inline constexpr std::array<std::string_view, 1> kCopyLoads = {"copy-integrity"};
inline constexpr std::array<std::string_view, 2> kLinkLoads = {"p2p-integrity", "collective-smoke"};
inline constexpr std::array<std::string_view, 1> kComputeLoads = {"sdc-gemm"};

/// Moments under load (LoadRecord::samples) below which clocks and slowdowns tell nothing: half a second.
inline constexpr std::size_t kLeastLoaded = 10;

/// "12.4 s of load"
std::string load_text(std::chrono::milliseconds time);
/// The answer when no load came to an answer of its own.
Answer without_load();
/// The answer when fewer than kLeastLoaded moments, only so many, were seen.
Answer too_short_a_load(std::size_t moments);

/// How a check speaks about a group of counters.
struct CounterWords {
  std::string_view what;    ///< "memory errors"
  std::string_view advice;  ///< for a yes
};

/// Yes when a counter of the group grew by as much as its limit; never no when one went backwards or could not be read,
/// and not without a load among `loads` that came to an answer.
Answer judge_counters(const LoadRecord& record, CounterGroup group, std::span<const std::string_view> loads,
                      const CounterWords& words);

}  // namespace cutopsy
