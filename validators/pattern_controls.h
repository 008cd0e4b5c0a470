// The positive controls of a memory test: errors that the test itself plants, and what a pass proves that had to find
// them. A test that never compares, skips words or ignores bits does not find them, and its clean result is worth
// nothing.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/memory_pattern.h"

namespace cutopsy {

/// One flipped bit in one word: number and mask.
using Control = kernels::WrongWord;

/// Four, one in each quarter of the words 0 to `words` and one in each 32-bit lane of a quad, so that a test that
/// leaves out any quarter or lane misses one. Places and bits follow from seed and pass. In odd passes the last lies in
/// the last quad, where a dropped tail shows; never there twice in a row, since planting rewrites a word and may hide
/// a fault of it. `words` is even and at least 8.
std::array<Control, 4> choose_controls(std::uint64_t words, std::uint64_t seed, std::uint64_t pass);

/// What a verify pass over `words` words with planted controls means.
struct PassJudgement {
  bool complete = false;  ///< every word was compared
  bool controls_came_back =
      false;  ///< each exactly as planted; not told of a pass with more errors than the list holds
  std::vector<kernels::WrongWord> faults;  ///< what differs beyond the controls, by number
  std::uint64_t fault_count = 0;           ///< counts also those that the list had no room for

  /// Whether a pass without faults proves that there was none.
  bool trustworthy() const { return complete && controls_came_back; }
};

PassJudgement judge(const kernels::PatternReport& report, const std::array<Control, 4>& controls, std::uint64_t words);

}  // namespace cutopsy
