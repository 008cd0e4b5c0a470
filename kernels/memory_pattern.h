// Memory patterns: what every 64-bit word of an area is to hold follows from its number, and each pattern has a second
// form, the complement, so that between both every bit holds both values.
//
// The patterns are a table: Pattern names them, word_of() defines them, and one body of each kernel serves all. Only
// those in which no two words are alike, the address hash and the own address, can show address faults: where a pattern
// repeats, two addresses that reach one cell hold the same value.
#pragma once

#include "kernels/machine.h"

namespace cutopsy::kernels {

enum class Pattern : std::uint32_t {
  address_hash,  ///< a hash of the number and the seed: as good as random data, and different everywhere
  own_address,   ///< the number itself: what stands in a wrong place tells where it belongs
  walking_bit,   ///< a single bit, one place further in each word; the seed is where it begins
  constant,      ///< the seed
};

/// The finaliser of SplitMix64: each input bit changes about half of the output's bits.
/// https://prng.di.unimi.it/splitmix64.c
CUTOPSY_DEVICE inline std::uint64_t address_hash(std::uint64_t number, std::uint64_t seed) {
  std::uint64_t z = number + seed * 0x9E3779B97F4A7C15ULL + 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// What a word holds in the pattern's first form.
template <Pattern kPattern>
CUTOPSY_DEVICE std::uint64_t word_of(std::uint64_t number, std::uint64_t seed) {
  if constexpr (kPattern == Pattern::address_hash) return address_hash(number, seed);
  if constexpr (kPattern == Pattern::own_address) return number;
  if constexpr (kPattern == Pattern::walking_bit) return 1ULL << ((number + seed) & 63);
  return seed;
}

/// Calls work.run<pattern>(): each pattern gets a loop of its own, chosen once in a launch.
template <typename Work>
CUTOPSY_DEVICE auto with_pattern(Pattern pattern, Work work) {
  switch (pattern) {
    case Pattern::own_address:
      return work.template run<Pattern::own_address>();
    case Pattern::walking_bit:
      return work.template run<Pattern::walking_bit>();
    case Pattern::constant:
      return work.template run<Pattern::constant>();
    default:
      return work.template run<Pattern::address_hash>();
  }
}

struct PatternWord {
  std::uint64_t number;
  std::uint64_t seed;

  template <Pattern kPattern>
  CUTOPSY_DEVICE std::uint64_t run() const {
    return word_of<kPattern>(number, seed);
  }
};

/// What a word holds in the first form of a pattern that is known at run time only.
CUTOPSY_DEVICE inline std::uint64_t expected_word(Pattern pattern, std::uint64_t number, std::uint64_t seed) {
  return with_pattern(pattern, PatternWord{number, seed});
}

/// The memory that one launch works on: the quads `begin` to `end` (exclusive) of an allocation.
struct PatternArea {
  Quad* memory;         ///< the allocation
  std::uint64_t begin;  ///< in quads, 64-bit throughout: an allocation may exceed 2^32 quads
  std::uint64_t end;
  std::uint64_t base;  ///< the number of the allocation's first word; no two allocations share numbers
  std::uint64_t seed;
  std::uint64_t flip;      ///< 0 for the first form, all ones for its complement
  std::uint64_t turn = 0;  ///< all ones where the quads are met in falling order
  Pattern pattern = Pattern::address_hash;

  /// The quad that is met as the `n`-th.
  CUTOPSY_DEVICE std::uint64_t place(std::uint64_t n) const { return (turn == 0 ? begin : end) + (n ^ turn); }
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

/// What the quad `index` of an area's allocation is to hold.
template <Pattern kPattern = Pattern::address_hash>
CUTOPSY_DEVICE Quad pattern_of(const PatternArea& area, std::uint64_t index) {
  const std::uint64_t number = area.base + 2 * index;
  return {word_of<kPattern>(number, area.seed) ^ area.flip, word_of<kPattern>(number + 1, area.seed) ^ area.flip};
}

/// What differs in a quad that was read.
template <Pattern kPattern = Pattern::address_hash>
CUTOPSY_DEVICE Quad difference_of(const PatternArea& area, std::uint64_t index, Quad found) {
  const Quad expected = pattern_of<kPattern>(area, index);
  return {found.low ^ expected.low, found.high ^ expected.high};
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

/// Reports the words of a quad that differ, if any.
template <typename Machine>
CUTOPSY_DEVICE void report_quad(Machine& machine, const PatternArea& area, PatternReport* report, std::uint64_t index,
                                Quad difference) {
  const std::uint64_t number = area.base + 2 * index;
  if (difference.low != 0) report_wrong(machine, report, number, difference.low);
  if (difference.high != 0) report_wrong(machine, report, number + 1, difference.high);
}

template <typename Machine>
struct PatternFill {
  Machine& machine;
  const PatternArea& area;

  template <Pattern kPattern>
  CUTOPSY_DEVICE void run() {
    machine.each([&](unsigned thread) {
      const std::uint64_t step = threads_of_grid(machine);
      const std::uint64_t quads = area.end - area.begin;
      for (std::uint64_t n = thread_of_grid(machine, thread); n < quads; n += step) {
        const std::uint64_t index = area.place(n);
        machine.store_once(area.memory + index, pattern_of<kPattern>(area, index));
      }
    });
  }
};

/// Writes the pattern. Moves 16 bytes a quad.
template <typename Machine>
CUTOPSY_DEVICE void fill_pattern(Machine& machine, const PatternArea& area) {
  with_pattern(area.pattern, PatternFill<Machine>{machine, area});
}

/// Flips bits of one word: the positive control of a verify pass. For one thread. Moves 32 bytes.
template <typename Machine>
CUTOPSY_DEVICE void plant_error(Machine& machine, std::uint64_t* word, std::uint64_t bits) {
  machine.each([&](unsigned) { machine.store(word, machine.load(word) ^ bits); });
}

template <bool kInvert, typename Machine>
struct PatternCompare {
  static constexpr unsigned kInFlight = 4;

  Machine& machine;
  const PatternArea& area;
  PatternReport* report;

  // Each thread keeps four loads in flight and branches once for the four; what is left over goes one by one.
  template <Pattern kPattern>
  CUTOPSY_DEVICE void run() {
    machine.each([&](unsigned thread) {
      const std::uint64_t step = threads_of_grid(machine);
      const std::uint64_t quads = area.end - area.begin;
      std::uint64_t compared = 0;
      std::uint64_t n = thread_of_grid(machine, thread);
      for (; n + (kInFlight - 1) * step < quads; n += kInFlight * step) {
        compare<kPattern, kInFlight>(n, step);
        compared += 2 * kInFlight;
      }
      for (; n < quads; n += step) {
        compare<kPattern, 1>(n, step);
        compared += 2;
      }
      machine.add(&report->compared, compared);
    });
  }

 private:
  template <Pattern kPattern, unsigned kCount>
  CUTOPSY_DEVICE void compare(std::uint64_t n, std::uint64_t step) {
    Quad quads[kCount];  // what was found, then what differs
    std::uint64_t any = 0;
    CUTOPSY_UNROLL
    for (unsigned k = 0; k < kCount; ++k) quads[k] = machine.load_once(area.memory + area.place(n + k * step));
    CUTOPSY_UNROLL
    for (unsigned k = 0; k < kCount; ++k) {
      const std::uint64_t index = area.place(n + k * step);
      const Quad difference = difference_of<kPattern>(area, index, quads[k]);
      any |= difference.low | difference.high;
      if constexpr (kInvert) {
        if ((difference.low | difference.high) == 0) invert(index, quads[k]);
      }
      quads[k] = difference;
    }
    if (any == 0) return;
    for (unsigned k = 0; k < kCount; ++k) report_quad(machine, area, report, area.place(n + k * step), quads[k]);
  }

  CUTOPSY_DEVICE void invert(std::uint64_t index, Quad found) {
    machine.store_once(area.memory + index, Quad{~found.low, ~found.high});
  }
};

/// Compares the memory with the pattern. Moves 16 bytes a quad.
template <typename Machine>
CUTOPSY_DEVICE void verify_pattern(Machine& machine, const PatternArea& area, PatternReport* report) {
  with_pattern(area.pattern, PatternCompare<false, Machine>{machine, area, report});
}

/// Compares the memory with the pattern and writes the other form over each quad right after it was read. A quad that
/// differs is left as it is, to be looked at. Moves 32 bytes a quad.
template <typename Machine>
CUTOPSY_DEVICE void invert_pattern(Machine& machine, const PatternArea& area, PatternReport* report) {
  with_pattern(area.pattern, PatternCompare<true, Machine>{machine, area, report});
}

}  // namespace cutopsy::kernels
