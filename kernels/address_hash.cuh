// Memory pattern: every 64-bit word holds a hash of its own offset and a seed.
//
// A pattern that repeats cannot show address faults: two addresses that reach one cell hold the same value then.
// A hash over all 64 bits of the offset differs everywhere. The bodies are plain C++ as well, so that they can be
// tested without a GPU: the caller says which words they own (`first`, `first + stride`, ...).
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define CUTOPSY_DEVICE __host__ __device__
#else
#define CUTOPSY_DEVICE
#endif

namespace cutopsy::kernels {

/// The finaliser of SplitMix64: each input bit changes about half of the output's bits.
/// https://prng.di.unimi.it/splitmix64.c
CUTOPSY_DEVICE inline std::uint64_t address_hash(std::uint64_t offset, std::uint64_t seed) {
  std::uint64_t z = offset + seed * 0x9E3779B97F4A7C15ULL + 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// What a verify pass saw. A pass that compared fewer words than it owned proves nothing.
struct PassResult {
  std::uint64_t compared = 0;    ///< words read and compared
  std::uint64_t wrong = 0;       ///< words that differ
  std::uint64_t wrong_bits = 0;  ///< all differing bit positions, ORed
};

/// Writes the pattern to the words `first`, `first + stride`, ... below `words`. Writes 8 bytes a word.
CUTOPSY_DEVICE inline void fill_address_hash(std::uint64_t* memory, std::uint64_t words, std::uint64_t seed,
                                             std::uint64_t first, std::uint64_t stride) {
  for (std::uint64_t i = first; i < words; i += stride) memory[i] = address_hash(i, seed);
}

/// Compares the same words with the pattern. Reads 8 bytes a word.
CUTOPSY_DEVICE inline PassResult verify_address_hash(const std::uint64_t* memory, std::uint64_t words,
                                                     std::uint64_t seed, std::uint64_t first, std::uint64_t stride) {
  PassResult result;
  for (std::uint64_t i = first; i < words; i += stride) {
    std::uint64_t difference = memory[i] ^ address_hash(i, seed);
    ++result.compared;
    result.wrong += difference != 0;
    result.wrong_bits |= difference;
  }
  return result;
}

}  // namespace cutopsy::kernels
