// Matrix multiplication for a comparison bit by bit: every block multiplies the same two tiles, so that one that
// differs names its multiprocessor. Where every sum is exact, the CPU knows each bit beforehand.
//
// A warp works in steps of 16 rows x 8 columns x 32 bytes, the shape of the mma instructions. Which lane holds which
// 32-bit word is the same for all formats: PTX ISA, "Warp Level Matrix Multiply-Accumulate Instructions", m16n8k8
// (tf32), m16n8k16 (fp16, bf16) and m16n8k32 (fp8).
//
// Where a machine multiplies by warpgroup (wgmma), four warps read both tiles from shared memory, and each thread holds
// of their 64 rows x 32 columns just what it holds of the four groups of a warp's mma. The tiles then lie as core
// matrices: PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions", shared memory matrix
// layout, K-major without swizzling.
#pragma once

#include <cmath>

#include "kernels/machine.h"
#include "kernels/multiprocessor_sweep.h"
#include "kernels/number_format.h"

namespace cutopsy::kernels {

inline constexpr unsigned kTile = 64;          ///< rows of A, columns of B
inline constexpr unsigned kTileWords = 64;     ///< 32-bit words of a row of A or a column of B
inline constexpr unsigned kTileThreads = 256;  ///< of a block: 8 warps of 16 rows x 32 columns
inline constexpr unsigned kTileGroups = 4;     ///< of 8 columns each, in a warp
inline constexpr unsigned kStepWords = 8;
inline constexpr unsigned kTileSteps = kTileWords / kStepWords;
/// A row in shared memory: 4 words more, so that the 32 lanes of a load meet 32 banks.
inline constexpr unsigned kTileStride = kTileWords + 4;
inline constexpr unsigned kTileSharedBytes = 2 * kTile * kTileStride * sizeof(std::uint32_t);

/// A core matrix is 8 rows of 16 bytes, one after the other. Those of 8 rows follow each other, then come those of the
/// next 8 rows.
inline constexpr unsigned kCoreBytes = 128;
inline constexpr unsigned kCoreRowBytes = kTileWords / 4 * kCoreBytes;
/// Where, in words, a word of a tile lies that is laid out so.
CUTOPSY_DEVICE constexpr unsigned core_place(unsigned row, unsigned word) {
  return row / 8 * (kCoreRowBytes / 4) + word / 4 * (kCoreBytes / 4) + row % 8 * 4 + word % 4;
}

struct GemmTask {
  const std::uint32_t* a;   ///< kTile rows of kTileWords
  const std::uint32_t* b;   ///< kTile columns of kTileWords
  float* sums;              ///< of each block kTile x kTile, row by row: those of the last round
  std::uint32_t* digests;   ///< of each block kTileThreads: of the sums of all rounds
  std::uint64_t* products;  ///< of each block: steps that its warps multiplied, added up; zeroed by the caller
  std::uint32_t rounds;     ///< how often all of it is multiplied
};

/// Where the sum `i` (of 4) that a thread holds of a group belongs in the tile.
CUTOPSY_DEVICE inline unsigned place_of(unsigned thread, unsigned group, unsigned i) {
  const unsigned warp = thread / 32;
  const unsigned lane = thread % 32;
  const unsigned row = 16 * (warp % 4) + lane / 4 + 8 * (i / 2);
  const unsigned column = 32 * (warp / 4) + 8 * group + 2 * (lane % 4) + i % 2;
  return row * kTile + column;
}

/// Takes one more sum into a digest. No two sums lead from one digest to the same one, nor two digests with one sum:
/// a single wrong sum among any number of them always changes the result.
inline constexpr std::uint32_t kDigestStart = 2166136261U;
CUTOPSY_DEVICE inline std::uint32_t digested(std::uint32_t digest, float sum) {
  return (digest ^ bits_as<std::uint32_t>(sum)) * 16777619U;
}

/// One warp's part of a tile.
template <Format kFormat, typename Machine>
class WarpTile {
 public:
  CUTOPSY_DEVICE WarpTile(Machine& machine, unsigned warp)
      : machine_(machine),
        warp_(warp),
        rows_(machine.template shared<std::uint32_t>() + 16 * (warp % 4) * kTileStride),
        columns_(machine.template shared<std::uint32_t>() + (kTile + 32 * (warp / 4)) * kTileStride) {
    machine_.each_lane([&](unsigned lane) { digest_[lane] = kDigestStart; });
  }

  CUTOPSY_DEVICE void multiply() {
    machine_.reload();
    each_sum([&](unsigned lane, unsigned group, unsigned i) { sums_[group][i][lane] = 0; });
    if constexpr (Machine::template by_warpgroup<kFormat>()) {
      const std::uint32_t* const tiles = machine_.template shared<std::uint32_t>();
      machine_.multiply_by_warpgroup(sums_, tiles, tiles + kTile * kTileStride + core_place(32 * (warp_ / 4), 0));
    } else {
      for (unsigned step = 0; step < kTileSteps; ++step)
        multiply_step(rows_ + step * kStepWords, columns_ + step * kStepWords);
    }
    each_sum([&](unsigned lane, unsigned group, unsigned i) {
      digest_[lane] = digested(digest_[lane], sums_[group][i][lane]);
    });
  }

  CUTOPSY_DEVICE void store(const GemmTask& task) {
    float* const sums = task.sums + static_cast<std::uint64_t>(machine_.block()) * kTile * kTile;
    each_sum([&](unsigned lane, unsigned group, unsigned i) {
      machine_.store(sums + place_of(32 * warp_ + lane, group, i), static_cast<float>(sums_[group][i][lane]));
    });
    machine_.each_lane([&](unsigned lane) {
      const std::uint64_t thread = static_cast<std::uint64_t>(machine_.block()) * kTileThreads + 32 * warp_ + lane;
      machine_.store(task.digests + thread, static_cast<std::uint32_t>(digest_[lane]));
      if (lane == 0) machine_.add(task.products + machine_.block(), std::uint64_t{kTileSteps} * task.rounds);
    });
  }

 private:
  template <typename T>
  using Lanes = typename Machine::template Lanes<T>;

  template <typename Work>
  CUTOPSY_DEVICE void each_sum(Work work) {
    machine_.each_lane([&](unsigned lane) {
      CUTOPSY_UNROLL
      for (unsigned group = 0; group < kTileGroups; ++group) {
        CUTOPSY_UNROLL
        for (unsigned i = 0; i < 4; ++i) work(lane, group, i);
      }
    });
  }

  CUTOPSY_DEVICE void multiply_step(const std::uint32_t* rows, const std::uint32_t* columns) {
    if constexpr (kFormat == Format::fp32) {
      multiply_in_order(rows, columns);
    } else {
      multiply_on_tensor_cores(rows, columns);
    }
    each_sum([&](unsigned lane, unsigned group, unsigned i) {
      sums_[group][i][lane] = machine_.computed(sums_[group][i][lane]);
    });
  }

  CUTOPSY_DEVICE void multiply_on_tensor_cores(const std::uint32_t* rows, const std::uint32_t* columns) {
    Lanes<std::uint32_t> a[4];
    machine_.each_lane([&](unsigned lane) {
      const std::uint32_t* const mine = rows + lane / 4 * kTileStride + lane % 4;
      a[0][lane] = mine[0];
      a[1][lane] = mine[8 * kTileStride];
      a[2][lane] = mine[4];
      a[3][lane] = mine[8 * kTileStride + 4];
    });
    CUTOPSY_UNROLL
    for (unsigned group = 0; group < kTileGroups; ++group) {
      Lanes<std::uint32_t> b[2];
      machine_.each_lane([&](unsigned lane) {
        const std::uint32_t* const mine = columns + (8 * group + lane / 4) * kTileStride + lane % 4;
        b[0][lane] = mine[0];
        b[1][lane] = mine[4];
      });
      machine_.template multiply_accumulate<kFormat>(sums_[group], a, b);
    }
  }

  // In a fixed order, each multiplication and addition as one operation: IEEE 754 fixes every bit.
  CUTOPSY_DEVICE void multiply_in_order(const std::uint32_t* rows, const std::uint32_t* columns) {
    each_sum([&](unsigned lane, unsigned group, unsigned i) {
      const std::uint32_t* const a = rows + (lane / 4 + 8 * (i / 2)) * kTileStride;
      const std::uint32_t* const b = columns + (8 * group + 2 * (lane % 4) + i % 2) * kTileStride;
      float sum = sums_[group][i][lane];
      CUTOPSY_UNROLL
      for (unsigned word = 0; word < kStepWords; ++word) {
        sum = ::fmaf(bits_as<float>(a[word]), bits_as<float>(b[word]), sum);
      }
      sums_[group][i][lane] = sum;
    });
  }

  Machine& machine_;
  unsigned warp_;
  const std::uint32_t* rows_;
  const std::uint32_t* columns_;
  Lanes<float> sums_[kTileGroups][4];
  Lanes<std::uint32_t> digest_;
};

/// Multiplies the tiles `rounds` times. A block moves 32 KiB in and 17 KiB out. Where the machine has no instruction
/// for the format, it writes nothing but the span.
template <Format kFormat, typename Machine>
CUTOPSY_DEVICE void multiply_tiles(Machine& machine, SmSpan* spans, const GemmTask& task) {
  note_begin(machine, spans);
  if constexpr (Machine::template multiplies<kFormat>()) {
    machine.each([&](unsigned thread) {
      std::uint32_t* const shared = machine.template shared<std::uint32_t>();
      for (unsigned i = thread; i < kTile * kTileWords; i += machine.threads()) {
        const unsigned row = i / kTileWords;
        const unsigned word = i % kTileWords;
        const unsigned place =
            Machine::template by_warpgroup<kFormat>() ? core_place(row, word) : row * kTileStride + word;
        shared[place] = machine.load(task.a + i);
        shared[kTile * kTileStride + place] = machine.load(task.b + i);
      }
      machine.template show_to_multipliers<kFormat>();
    });
    machine.sync();
    machine.each_warp([&](unsigned warp) {
      WarpTile<kFormat, Machine> tile(machine, warp);
      for (std::uint32_t round = 0; round < task.rounds; ++round) tile.multiply();
      tile.store(task);
    });
  }
  note_end(machine, spans);
}

}  // namespace cutopsy::kernels
