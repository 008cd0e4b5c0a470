// Memory pattern: every 64-bit word holds a hash of its own number and a seed, or the complement of that hash.
//
// A pattern that repeats cannot show address faults: two addresses that reach one cell hold the same value then. A
// hash over all 64 bits of the number differs everywhere. Between hash and complement every bit holds both values.
#pragma once

#include "kernels/machine.h"

namespace cutopsy::kernels {

/// The finaliser of SplitMix64: each input bit changes about half of the output's bits.
/// https://prng.di.unimi.it/splitmix64.c
CUTOPSY_DEVICE inline std::uint64_t address_hash(std::uint64_t number, std::uint64_t seed) {
  std::uint64_t z = number + seed * 0x9E3779B97F4A7C15ULL + 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// The memory that one launch works on: the quads `begin` to `end` (exclusive) of an allocation.
struct PatternArea {
  Quad* memory;         ///< the allocation
  std::uint64_t begin;  ///< in quads, 64-bit throughout: an allocation may exceed 2^32 quads
  std::uint64_t end;
  std::uint64_t base;  ///< the number of the allocation's first word; no two allocations share numbers
  std::uint64_t seed;
  std::uint64_t flip;  ///< 0 for the hash, all ones for its complement
};

/// One word that differs.
struct WrongWord {
  std::uint64_t number;
  std::uint64_t difference;  ///< found XOR expected
};

/// What verify launches saw, added up; zeroed by the caller. A pass that compared fewer words than it owned proves
/// nothing.
struct PatternReport {
  static constexpr std::uint64_t kMostListed = 256;

  std::uint64_t compared;        ///< words
  std::uint64_t wrong;           ///< words that differ, listed or not
  std::uint64_t wrong_bits;      ///< all differing bit positions, ORed
  WrongWord words[kMostListed];  ///< the first min(wrong, kMostListed) that were met, in no order
};

/// The pattern of the quad `index` of an area's allocation.
CUTOPSY_DEVICE inline Quad pattern_of(const PatternArea& area, std::uint64_t index) {
  const std::uint64_t number = area.base + 2 * index;
  return {address_hash(number, area.seed) ^ area.flip, address_hash(number + 1, area.seed) ^ area.flip};
}

/// Writes the pattern. Moves 16 bytes a quad.
template <typename Machine>
CUTOPSY_DEVICE void fill_pattern(Machine& machine, const PatternArea& area) {
  machine.each([&](unsigned thread) {
    const std::uint64_t step = threads_of_grid(machine);
    for (std::uint64_t i = area.begin + thread_of_grid(machine, thread); i < area.end; i += step) {
      machine.store_once(area.memory + i, pattern_of(area, i));
    }
  });
}

/// Flips bits of one word: the positive control of a verify pass. For one thread. Moves 32 bytes.
template <typename Machine>
CUTOPSY_DEVICE void plant_error(Machine& machine, std::uint64_t* word, std::uint64_t bits) {
  machine.each([&](unsigned) { machine.store(word, machine.load(word) ^ bits); });
}

/// Counts a word that differs, and lists it while there is room.
template <typename Machine>
CUTOPSY_DEVICE void report_wrong(Machine& machine, PatternReport* report, std::uint64_t number,
                                 std::uint64_t difference) {
  const std::uint64_t place = machine.take(&report->wrong, 1);
  machine.either(&report->wrong_bits, difference);
  if (place >= PatternReport::kMostListed) return;
  machine.store(&report->words[place].number, number);
  machine.store(&report->words[place].difference, difference);
}

/// What differs in a quad that was read.
CUTOPSY_DEVICE inline Quad difference_of(const PatternArea& area, std::uint64_t index, Quad found) {
  const Quad expected = pattern_of(area, index);
  return {found.low ^ expected.low, found.high ^ expected.high};
}

/// Reports the words of a quad that differ, if any.
template <typename Machine>
CUTOPSY_DEVICE void report_quad(Machine& machine, const PatternArea& area, PatternReport* report, std::uint64_t index,
                                Quad difference) {
  const std::uint64_t number = area.base + 2 * index;
  if (difference.low != 0) report_wrong(machine, report, number, difference.low);
  if (difference.high != 0) report_wrong(machine, report, number + 1, difference.high);
}

/// Compares the memory with the pattern. Moves 16 bytes a quad. Each thread keeps four loads in flight and branches
/// once for the four; what is left over at the end goes one by one.
template <typename Machine>
CUTOPSY_DEVICE void verify_pattern(Machine& machine, const PatternArea& area, PatternReport* report) {
  constexpr unsigned kInFlight = 4;
  machine.each([&](unsigned thread) {
    const std::uint64_t step = threads_of_grid(machine);
    std::uint64_t compared = 0;
    std::uint64_t i = area.begin + thread_of_grid(machine, thread);
    for (; i + (kInFlight - 1) * step < area.end; i += kInFlight * step) {
      Quad quads[kInFlight];
      std::uint64_t any = 0;
      CUTOPSY_UNROLL
      for (unsigned k = 0; k < kInFlight; ++k) quads[k] = machine.load_once(area.memory + i + k * step);
      CUTOPSY_UNROLL
      for (unsigned k = 0; k < kInFlight; ++k) {
        quads[k] = difference_of(area, i + k * step, quads[k]);
        any |= quads[k].low | quads[k].high;
        compared += 2;
      }
      if (any == 0) continue;
      for (unsigned k = 0; k < kInFlight; ++k) report_quad(machine, area, report, i + k * step, quads[k]);
    }
    for (; i < area.end; i += step) {
      report_quad(machine, area, report, i, difference_of(area, i, machine.load_once(area.memory + i)));
      compared += 2;
    }
    machine.add(&report->compared, compared);
  });
}

}  // namespace cutopsy::kernels
