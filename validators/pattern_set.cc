#include "validators/pattern_set.h"

#include <algorithm>
#include <array>

namespace cutopsy {

namespace {

using kernels::Pattern;
using Action = PatternStep::Action;

constexpr std::uint64_t kPlain = 0;
constexpr std::uint64_t kComplement = ~0ULL;

constexpr std::array kBothForms = {
    PatternStep{Action::fill, kPlain},
    PatternStep{Action::verify, kPlain},
    PatternStep{Action::fill, kComplement},
    PatternStep{Action::verify, kComplement},
};
// Moving inversions, in the order of March C-: each cell changes right after it was read, in both directions and in
// both orders, so that a cell that its neighbour's change disturbs has yet to be read then, wherever the neighbour is.
constexpr std::array kInversions = {
    PatternStep{Action::fill, kPlain},
    PatternStep{Action::invert, kPlain},
    PatternStep{Action::invert, kComplement},
    PatternStep{Action::invert, kPlain, true},
    PatternStep{Action::invert, kComplement, true},
    PatternStep{Action::verify, kPlain},
};

constexpr std::array<std::uint64_t, 5> kConstants = {0, 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                                     0x00FF00FF00FF00FF};

std::uint64_t given(std::uint64_t seed, std::uint64_t) {
  return seed;
}
std::uint64_t next_place(std::uint64_t seed, std::uint64_t round) {
  return seed + round;
}
std::uint64_t next_constant(std::uint64_t, std::uint64_t round) {
  return kConstants[round % kConstants.size()];
}
std::uint64_t unlike_any_other(std::uint64_t seed, std::uint64_t round) {
  return kernels::address_hash(round + 1, seed);
}

constexpr std::array kTests = {
    PatternTest{"own-address", Pattern::own_address, given, kBothForms, Level::quick},
    PatternTest{"address-hash", Pattern::address_hash, given, kBothForms, Level::quick},
    PatternTest{"inversions", Pattern::constant, next_constant, kInversions, Level::standard},
    PatternTest{"walking-bit", Pattern::walking_bit, next_place, kBothForms, Level::standard},
    PatternTest{"random", Pattern::address_hash, unlike_any_other, kBothForms, Level::standard},
    PatternTest{"random-inversions", Pattern::address_hash, unlike_any_other, kInversions, Level::thorough},
};

}  // namespace

std::span<const PatternTest> pattern_tests() {
  return kTests;
}

std::vector<const PatternTest*> tests_of(Level level) {
  std::vector<const PatternTest*> tests;
  for (const PatternTest& test : kTests) {
    if (test.from <= level) tests.push_back(&test);
  }
  return tests;
}

std::optional<std::vector<const PatternTest*>> tests_named(std::string_view names, std::string* unknown) {
  std::vector<const PatternTest*> tests;
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    std::string_view name = names.substr(0, comma);
    names.remove_prefix(std::min(comma + 1, names.size()));
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    const auto test = std::find_if(kTests.begin(), kTests.end(), [&](const auto& one) { return one.name == name; });
    if (test == kTests.end()) {
      *unknown = name;
      return std::nullopt;
    }
    tests.push_back(&*test);
  }
  return tests;
}

std::string names_of(std::span<const PatternTest* const> tests) {
  std::string names;
  for (const PatternTest* test : tests) names += (names.empty() ? "" : ", ") + std::string(test->name);
  return names;
}

}  // namespace cutopsy
