#include "validators/gemm_problem.h"

#include <cmath>

#include "kernels/image.h"
#include "kernels/memory_pattern.h"

namespace cutopsy {

namespace {

using kernels::Format;
using kernels::kTile;
using kernels::kTileWords;

// The largest integer of an exact problem. fp8 holds 4 bits of significand, and a row has 256 elements: 256 * 5 * 5.
int largest_integer(Format format) {
  return format == Format::fp8 ? 5 : 127;
}

unsigned elements_of_row(Format format) {
  return kTileWords * kernels::layout_of(format).per_word();
}

// One matrix of integers, each row with its power of two.
class Integers {
 public:
  Integers(Format format, std::uint64_t seed) : format_(format), seed_(seed) {}

  int integer(unsigned row, unsigned k) const {
    const int most = largest_integer(format_);
    const std::uint64_t random = kernels::address_hash(row * 65536ULL + k, seed_);
    return static_cast<int>(random % (2 * static_cast<unsigned>(most) + 1)) - most;
  }
  int power(unsigned row) const { return static_cast<int>(kernels::address_hash(~0ULL - row, seed_) % 5) - 2; }
  std::uint32_t bits(unsigned row, unsigned k) const {
    return kernels::encode(format_, std::ldexp(static_cast<float>(integer(row, k)), power(row)));
  }

 private:
  Format format_;
  std::uint64_t seed_;
};

template <typename BitsOf>
std::vector<std::uint32_t> packed(Format format, BitsOf bits_of) {
  const kernels::FormatLayout layout = kernels::layout_of(format);
  std::vector<std::uint32_t> words(kTile * kTileWords);
  for (unsigned row = 0; row < kTile; ++row) {
    for (unsigned k = 0; k < elements_of_row(format); ++k) {
      words[row * kTileWords + k / layout.per_word()] |= bits_of(row, k) << k % layout.per_word() * layout.storage_bits;
    }
  }
  return words;
}

std::uint32_t random_bits(Format format, std::uint64_t seed, unsigned row, unsigned k) {
  const kernels::FormatLayout layout = kernels::layout_of(format);
  const std::uint64_t random = kernels::address_hash(row * 65536ULL + k, seed);
  const std::uint32_t exponent = layout.bias() - 2 + (random >> 62);
  const std::uint32_t fraction = random & ((1U << layout.fraction_bits) - 1);
  const std::uint32_t sign = random >> 61 & 1;
  const std::uint32_t bits = (sign << layout.exponent_bits | exponent) << layout.fraction_bits | fraction;
  return bits << layout.unused_bits();
}

// As the fp32 kernel does it.
std::vector<float> product_in_order(const GemmProblem& problem) {
  std::vector<float> sums(kTile * kTile);
  for (unsigned row = 0; row < kTile; ++row) {
    for (unsigned column = 0; column < kTile; ++column) {
      float& sum = sums[row * kTile + column];
      for (unsigned k = 0; k < kTileWords; ++k) {
        sum = std::fma(kernels::bits_as<float>(problem.a[row * kTileWords + k]),
                       kernels::bits_as<float>(problem.b[column * kTileWords + k]), sum);
      }
    }
  }
  return sums;
}

}  // namespace

GemmProblem exact_problem(Format format, std::uint64_t seed) {
  const Integers a(format, 2 * seed);
  const Integers b(format, 2 * seed + 1);
  GemmProblem problem;
  problem.a = packed(format, [&](unsigned row, unsigned k) { return a.bits(row, k); });
  problem.b = packed(format, [&](unsigned column, unsigned k) { return b.bits(column, k); });
  for (unsigned row = 0; row < kTile; ++row) {
    for (unsigned column = 0; column < kTile; ++column) {
      int sum = 0;
      for (unsigned k = 0; k < elements_of_row(format); ++k) sum += a.integer(row, k) * b.integer(column, k);
      problem.sums.push_back(std::ldexp(static_cast<float>(sum), a.power(row) + b.power(column)));
    }
  }
  return problem;
}

GemmProblem random_problem(Format format, std::uint64_t seed) {
  GemmProblem problem;
  problem.a = packed(format, [&](unsigned row, unsigned k) { return random_bits(format, 2 * seed, row, k); });
  problem.b = packed(format, [&](unsigned column, unsigned k) { return random_bits(format, 2 * seed + 1, column, k); });
  if (format == Format::fp32) problem.sums = product_in_order(problem);
  return problem;
}

std::vector<std::uint32_t> digests_of(const std::vector<float>& sums, std::uint32_t rounds) {
  std::vector<std::uint32_t> digests(kernels::kTileThreads, kernels::kDigestStart);
  for (unsigned thread = 0; thread < digests.size(); ++thread) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (unsigned group = 0; group < kernels::kTileGroups; ++group) {
        for (unsigned i = 0; i < 4; ++i) {
          digests[thread] = kernels::digested(digests[thread], sums[kernels::place_of(thread, group, i)]);
        }
      }
    }
  }
  return digests;
}

GemmPath path_of(Format format, int ptx, int binary) {
  const std::string compiled =
      "its kernel was compiled for compute capability " + std::to_string(ptx / 10) + "." + std::to_string(ptx % 10);
  switch (format) {
    case Format::fp32:
      return {"fma", ""};
    case Format::fp16:
      if (ptx >= 80) return {"mma.sync m16n8k16", ""};
      if (ptx >= 75) return {"two mma.sync m16n8k8", ""};
      return {"", "not covered: " + compiled};
    case Format::bf16:
      return ptx >= 80 ? GemmPath{"mma.sync m16n8k16", ""} : GemmPath{"", "not covered: " + compiled};
    case Format::tf32:
      return ptx >= 80 ? GemmPath{"mma.sync m16n8k8", ""} : GemmPath{"", "not covered: " + compiled};
    case Format::fp8:
      break;
  }
  if (ptx < 89) return {"", "not covered: " + compiled};
  if (binary == 89 || binary == 120 || binary == 121) return {"mma.sync m16n8k32", ""};
  if (ptx == 90 && binary == 90 && kernels::multiplies_by_warpgroup()) return {"wgmma m64n32k32", ""};
  return {"", "not covered: on compute capability " + std::to_string(binary / 10) + "." + std::to_string(binary % 10) +
                  " mma.sync uses the fp16 units for it"};
}

}  // namespace cutopsy
