// Single words read and written anew, far from the launch that met them, and the traffic in between that drives them
// out of the L2 cache.
#pragma once

#include "kernels/machine.h"

namespace cutopsy::kernels {

/// A word of device memory, and what was read from it or is to be written.
struct WordProbe {
  std::uint64_t* word;
  std::uint64_t value;
};

/// Reads each word into its probe. Moves 24 bytes a probe.
template <typename Machine>
CUTOPSY_DEVICE void read_words(Machine& machine, WordProbe* probes, std::uint32_t count) {
  machine.each([&](unsigned thread) {
    for (std::uint64_t i = thread_of_grid(machine, thread); i < count; i += threads_of_grid(machine)) {
      machine.store(&probes[i].value, machine.load_anew(machine.load(&probes[i].word)));
    }
  });
}

/// Writes each probe's value into its word. Moves 24 bytes a probe.
template <typename Machine>
CUTOPSY_DEVICE void write_words(Machine& machine, WordProbe* probes, std::uint32_t count) {
  machine.each([&](unsigned thread) {
    for (std::uint64_t i = thread_of_grid(machine, thread); i < count; i += threads_of_grid(machine)) {
      machine.store(machine.load(&probes[i].word), machine.load(&probes[i].value));
    }
  });
}

/// Traffic and nothing else: reads and writes each quad as data that is to stay in the cache, so that what was there
/// leaves it. Moves 32 bytes a quad.
template <typename Machine>
CUTOPSY_DEVICE void walk_memory(Machine& machine, Quad* memory, std::uint64_t quads) {
  machine.each([&](unsigned thread) {
    for (std::uint64_t i = thread_of_grid(machine, thread); i < quads; i += threads_of_grid(machine)) {
      const Quad quad = machine.load(memory + i);
      machine.store(memory + i, Quad{quad.low + 1, ~quad.high});
    }
  });
}

}  // namespace cutopsy::kernels
