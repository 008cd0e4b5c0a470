// Marches: each word is read and rewritten with its complement, in rising and in falling order, so that a word that
// changes with its neighbour's transition is met before and after it. In shared memory March C- (A. J. van de Goor,
// "Using March Tests to Test SRAMs", IEEE Design & Test, 1993) with a hash of the word's number for data; over memory
// that stays in the L2 cache one element a launch.
#pragma once

#include "kernels/memory_pattern.h"
#include "kernels/multiprocessor_sweep.h"

namespace cutopsy::kernels {

/// Errors that the march itself plants before its last read: number and bits of 64-bit words.
struct MarchControls {
  static constexpr unsigned kCount = 4;
  WrongWord words[kCount];
};

/// How often the march reads each word.
inline constexpr std::uint64_t kMarchReads = 5;

/// One element: reads each word, expecting the pattern with `read_flip`, and writes the other form unless it is the
/// last. Which thread has which words differs from element to element.
template <typename Machine>
CUTOPSY_DEVICE void march_element(Machine& machine, std::uint32_t words, std::uint64_t seed, PatternReport* report,
                                  unsigned element) {
  const std::uint64_t read_flip = element % 2 == 0 ? 0 : ~0ULL;
  const bool falling = element >= 2;
  const bool writes = element + 1 < kMarchReads;
  machine.each([&](unsigned thread) {
    std::uint64_t* const shared = machine.template shared<std::uint64_t>();
    std::uint64_t compared = 0;
    for (std::uint32_t i = (thread + 37 * element) % machine.threads(); i < words; i += machine.threads()) {
      const std::uint32_t word = falling ? words - 1 - i : i;
      const std::uint64_t expected = address_hash(word, seed) ^ read_flip;
      const std::uint64_t difference = machine.load_shared(shared + word) ^ expected;
      if (difference != 0) report_wrong(machine, report, word, difference);
      if (writes) machine.store_shared(shared + word, ~expected);
      ++compared;
    }
    machine.add(&report->compared, compared);
  });
  machine.sync();
}

/// Marches over the first `words` 64-bit words of the block's shared memory. Each block has a report of its own.
template <typename Machine>
CUTOPSY_DEVICE void march_shared_memory(Machine& machine, SmSpan* spans, PatternReport* reports, std::uint32_t words,
                                        std::uint64_t seed, const MarchControls& controls) {
  note_begin(machine, spans);
  PatternReport* const report = reports + machine.block();
  machine.each([&](unsigned thread) {
    std::uint64_t* const shared = machine.template shared<std::uint64_t>();
    for (std::uint32_t i = thread; i < words; i += machine.threads()) {
      machine.store_shared(shared + i, address_hash(i, seed));
    }
  });
  machine.sync();
  for (unsigned element = 0; element + 1 < kMarchReads; ++element) {
    march_element(machine, words, seed, report, element);
  }
  machine.each([&](unsigned thread) {
    // Each place of the list is a constant: an index that is not would need a copy of the list in local memory.
    CUTOPSY_UNROLL
    for (unsigned i = 0; i < MarchControls::kCount; ++i) {
      if (thread != i) continue;
      std::uint64_t* const word = machine.template shared<std::uint64_t>() + controls.words[i].number;
      machine.store_shared(word, machine.load_shared(word) ^ controls.words[i].difference);
    }
  });
  machine.sync();
  march_element(machine, words, seed, report, kMarchReads - 1);
  note_end(machine, spans);
}

/// Reads each quad of an area, expecting the pattern, and writes its complement. Moves 32 bytes a quad, through the L2
/// where the area stays in it. `shift` blocks further on than in a launch without it is who works on a quad.
template <typename Machine>
CUTOPSY_DEVICE void march_in_cache(Machine& machine, const PatternArea& area, PatternReport* report,
                                   std::uint32_t shift) {
  machine.each([&](unsigned thread) {
    const std::uint64_t step = threads_of_grid(machine);
    const std::uint64_t first = thread_of_grid(machine, thread) + std::uint64_t{shift} * machine.threads();
    std::uint64_t compared = 0;
    for (std::uint64_t i = area.begin + first % step; i < area.end; i += step) {
      const Quad difference = difference_of(area, i, machine.load(area.memory + i));
      report_quad(machine, area, report, i, difference);
      const Quad expected = pattern_of(area, i);
      machine.store(area.memory + i, Quad{~expected.low, ~expected.high});
      compared += 2;
    }
    machine.add(&report->compared, compared);
  });
}

}  // namespace cutopsy::kernels
