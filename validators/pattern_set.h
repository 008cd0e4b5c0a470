// The set of memory tests: which patterns are written, in which steps, and from which level on. A new one is a row.
//
// A test of both forms moves 64 bytes for each 16 of memory (two fills, two verifies), one of inversions 160 (a
// fill, four passes that read and write, a verify).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/memory_pattern.h"
#include "validators/check.h"

namespace cutopsy {

struct PatternStep {
  enum class Action : std::uint8_t { fill, verify, invert };
  Action action = Action::fill;
  std::uint64_t flip = 0;  ///< of what is written or expected; an inversion leaves the other form
  bool falling = false;    ///< the order of addresses
};

struct PatternTest {
  std::string_view name;
  kernels::Pattern pattern;
  std::uint64_t (*seed)(std::uint64_t seed, std::uint64_t round);  ///< as the pattern takes it
  std::span<const PatternStep> steps;
  Level from;  ///< the least level that uses it
};

/// In the order in which they are done: those that show the most come first.
std::span<const PatternTest> pattern_tests();
/// Those of a level.
std::vector<const PatternTest*> tests_of(Level level);
/// Those that are named, separated by commas; no value when a name is none, which `*unknown` then is.
std::optional<std::vector<const PatternTest*>> tests_named(std::string_view names, std::string* unknown);
/// "own-address, address-hash"
std::string names_of(std::span<const PatternTest* const> tests);

}  // namespace cutopsy
