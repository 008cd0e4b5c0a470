// What an mma instruction does, on the CPU: the multiplication of one warp's step from the words that its lanes hold.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/number_format.h"

namespace cutopsy::kernels {

template <typename T>
using HostLanes = std::array<T, 32>;

/// sums += a * b of 16 rows, 8 columns and 32 bytes; where each word is, see gemm.h. Adds in the order of the elements,
/// in 32-bit floats: exact where a GPU's own order is.
template <Format kFormat>
void multiply_on_host(HostLanes<float> (&sums)[4], const HostLanes<std::uint32_t> (&a)[4],
                      const HostLanes<std::uint32_t> (&b)[2]) {
  constexpr unsigned kRows = 16;
  constexpr unsigned kColumns = 8;
  constexpr unsigned kWords = 8;
  constexpr unsigned kBits = layout_of(kFormat).storage_bits;
  constexpr unsigned kPerWord = layout_of(kFormat).per_word();
  constexpr std::uint32_t kMask = kBits == 32 ? ~0U : (1U << kBits % 32) - 1;
  float rows[kRows][kWords * kPerWord];
  float columns[kColumns][kWords * kPerWord];
  for (unsigned word = 0; word < kWords; ++word) {
    for (unsigned i = 0; i < kPerWord; ++i) {
      const unsigned shift = i * kBits;
      for (unsigned row = 0; row < kRows; ++row) {
        const std::uint32_t bits = a[row / 8 + 2 * (word / 4)][row % 8 * 4 + word % 4];
        rows[row][word * kPerWord + i] = decode(kFormat, bits >> shift & kMask);
      }
      for (unsigned column = 0; column < kColumns; ++column) {
        const std::uint32_t bits = b[word / 4][column * 4 + word % 4];
        columns[column][word * kPerWord + i] = decode(kFormat, bits >> shift & kMask);
      }
    }
  }
  for (unsigned row = 0; row < kRows; ++row) {
    for (unsigned column = 0; column < kColumns; ++column) {
      float& sum = sums[2 * (row / 8) + column % 2][row % 8 * 4 + column / 2];
      for (unsigned k = 0; k < kWords * kPerWord; ++k) sum += rows[row][k] * columns[column][k];
    }
  }
}

}  // namespace cutopsy::kernels
