// Matrix multiplication on the CPU: the kernels' bodies against products that are known otherwise, and what is noticed
// of one wrong sum.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>

#include "kernels/image.h"
#include "tests/unit/host_launch.h"
#include "validators/gemm_run.h"

namespace cutopsy {
namespace {

using kernels::Format;
using kernels::kTile;
using kernels::kTileThreads;
using kernels::kTileWords;

struct FormatCase {
  Format format;
  const char* name;
};

void PrintTo(const FormatCase& one, std::ostream* out) {
  *out << one.name;
}

// Results of blocks on the CPU.
struct Product {
  std::vector<float> sums;
  std::vector<std::uint32_t> digests;
  std::vector<std::uint64_t> products;
};

Product multiply(const FormatCase& one, const GemmProblem& problem, std::uint32_t rounds, unsigned blocks,
                 kernels::HostFaults& faults) {
  Product product;
  product.sums.resize(std::size_t{blocks} * kTile * kTile);
  product.digests.resize(std::size_t{blocks} * kTileThreads);
  product.products.resize(blocks);
  std::vector<kernels::SmSpan> spans(blocks);
  const kernels::GemmTask task{problem.a.data(),       problem.b.data(),        product.sums.data(),
                               product.digests.data(), product.products.data(), rounds};
  kernels::launch_on_host("cutopsy_gemm_" + std::string(one.name),
                          {.grid = blocks, .block = kTileThreads, .shared_bytes = kernels::kTileSharedBytes}, faults,
                          spans.data(), task);
  return product;
}

Product multiply(const FormatCase& one, const GemmProblem& problem, std::uint32_t rounds = 1, unsigned blocks = 1) {
  kernels::HostFaults healthy;
  return multiply(one, problem, rounds, blocks, healthy);
}

GemmOutcome judge(const Product& product, const std::vector<float>& known, std::uint32_t rounds = 1) {
  return judge_blocks(product.sums, product.digests, known, rounds);
}

// Element k of a row, as the format's definition reads the words.
double element(Format format, const std::vector<std::uint32_t>& words, unsigned row, unsigned k) {
  const kernels::FormatLayout layout = kernels::layout_of(format);
  const unsigned bits = layout.storage_bits;
  const std::uint64_t word = words[row * kTileWords + k / layout.per_word()];
  return kernels::decode(format,
                         static_cast<std::uint32_t>(word >> k % layout.per_word() * bits & ((1ULL << bits) - 1)));
}

class Gemm : public testing::TestWithParam<FormatCase> {};

TEST_P(Gemm, EqualsTheExactProductBitByBit) {
  for (const std::uint64_t seed : {1, 2}) {
    const GemmProblem problem = exact_problem(GetParam().format, seed);
    const GemmOutcome outcome = judge(multiply(GetParam(), problem, 3), problem.sums, 3);
    EXPECT_TRUE(outcome.decided);
    EXPECT_EQ(outcome.differing, 0u);
    EXPECT_FALSE(outcome.wrong[0]);
  }
}

TEST_P(Gemm, HasOperandsWhoseProductIsWhatTheProblemSays) {
  const Format format = GetParam().format;
  const GemmProblem problem = exact_problem(format, 5);
  const unsigned elements = kTileWords * kernels::layout_of(format).per_word();
  for (unsigned row = 0; row < kTile; row += 7) {
    for (unsigned column = 0; column < kTile; column += 5) {
      double sum = 0;
      for (unsigned k = 0; k < elements; ++k)
        sum += element(format, problem.a, row, k) * element(format, problem.b, column, k);
      EXPECT_EQ(problem.sums[row * kTile + column], sum);
    }
  }
}

// No adder may have to round: in units of the row's and column's last bit, all sums stay small.
TEST_P(Gemm, KeepsExactSumsWithinWhatTheAdderHolds) {
  const Format format = GetParam().format;
  const GemmProblem problem = exact_problem(format, 6);
  const unsigned elements = kTileWords * kernels::layout_of(format).per_word();
  double largest = 0;
  for (unsigned row = 0; row < kTile; ++row) {
    double unit = 0;
    double sum = 0;
    for (unsigned k = 0; k < elements; ++k) {
      const double a = std::fabs(element(format, problem.a, row, k));
      if (a != 0 && (unit == 0 || a < unit)) unit = a;
      sum += a;
    }
    largest = std::max(largest, sum / unit);
  }
  const double other = format == Format::fp8 ? 5 : 127;
  EXPECT_LE(largest * other, format == Format::fp8 ? 8192 : 1 << 21);
}

TEST_P(Gemm, MultipliesRandomNumbersOfTheWholeFraction) {
  const Format format = GetParam().format;
  const GemmProblem problem = random_problem(format, 3);
  const Product product = multiply(GetParam(), problem);
  const unsigned elements = kTileWords * kernels::layout_of(format).per_word();
  std::uint32_t seen = 0;
  for (unsigned k = 0; k < elements; ++k) {
    seen |= kernels::bits_as<std::uint32_t>(static_cast<float>(element(format, problem.a, 9, k)));
  }
  const unsigned fraction_bits = kernels::layout_of(format).fraction_bits;
  EXPECT_EQ(seen >> (23 - fraction_bits) & ((1U << fraction_bits) - 1), (1U << fraction_bits) - 1);
  for (unsigned row = 0; row < kTile; row += 13) {
    for (unsigned column = 0; column < kTile; column += 11) {
      double sum = 0;
      double size = 0;
      for (unsigned k = 0; k < elements; ++k) {
        const double term = element(format, problem.a, row, k) * element(format, problem.b, column, k);
        sum += term;
        size += std::fabs(term);
      }
      EXPECT_NEAR(product.sums[row * kTile + column], sum, size * 1e-5);
    }
  }
}

// The sum that is computed as the n-th becomes another one.
class Nth : public kernels::HostFaults {
 public:
  Nth(std::uint64_t n, std::uint32_t clear, std::uint32_t flip) : n_(n), clear_(clear), flip_(flip) {}
  std::uint64_t computed(std::uint64_t bits, unsigned) override {
    return count_++ == n_ ? (bits & ~std::uint64_t{clear_}) ^ flip_ : bits;
  }

 private:
  std::uint64_t n_;
  std::uint32_t clear_;
  std::uint32_t flip_;
  std::uint64_t count_ = 0;
};

constexpr std::uint64_t kSumsOfRound = std::uint64_t{kernels::kTileSteps} * kTile * kTile;

TEST_P(Gemm, ShowsOneSumThatIsOffByOneBitAtTheEnd) {
  const GemmProblem problem = exact_problem(GetParam().format, 1);
  // A step computes a warp's 512 sums; the last step of the first warp begins after 7 * 512.
  Nth one_ulp(7 * 512 + 100, 0, 1);
  const GemmOutcome outcome = judge(multiply(GetParam(), problem, 1, 1, one_ulp), problem.sums);
  EXPECT_EQ(outcome.differing, 1u);
  EXPECT_EQ(outcome.nans + outcome.infinities, 0u);
  EXPECT_TRUE(outcome.wrong[0]);
  EXPECT_FALSE(outcome.repeats_differ);
}

TEST_P(Gemm, ShowsASumThatWasWrongInAnEarlierRoundOnly) {
  const GemmProblem problem = exact_problem(GetParam().format, 1);
  Nth early(7 * 512 + 100, 0, 1);
  const GemmOutcome outcome = judge(multiply(GetParam(), problem, 2, 1, early), problem.sums, 2);
  EXPECT_EQ(outcome.differing, 0u);
  EXPECT_TRUE(outcome.repeats_differ);
  EXPECT_TRUE(outcome.wrong[0]);
}

TEST_P(Gemm, CountsNanAndInfinityApart) {
  const GemmProblem problem = exact_problem(GetParam().format, 1);
  Nth nan(7 * 512 + 5, ~0U, 0x7FC00000);
  const GemmOutcome with_nan = judge(multiply(GetParam(), problem, 1, 1, nan), problem.sums);
  EXPECT_EQ(with_nan.differing, 1u);
  EXPECT_EQ(with_nan.nans, 1u);
  EXPECT_EQ(with_nan.infinities, 0u);
  Nth infinity(7 * 512 + 5, ~0U, 0xFF800000);
  const GemmOutcome with_infinity = judge(multiply(GetParam(), problem, 1, 1, infinity), problem.sums);
  EXPECT_EQ(with_infinity.nans, 0u);
  EXPECT_EQ(with_infinity.infinities, 1u);
}

TEST_P(Gemm, CountsNanInfinityAndOneBitTogether) {
  const GemmProblem problem = exact_problem(GetParam().format, 1);
  Product product = multiply(GetParam(), problem);
  product.sums[0] = std::numeric_limits<float>::quiet_NaN();
  product.sums[1] = std::numeric_limits<float>::infinity();
  product.sums[2] = -std::numeric_limits<float>::infinity();
  product.sums[4095] = std::nextafter(product.sums[4095], 1e9F);
  const GemmOutcome outcome = judge(product, problem.sums);
  EXPECT_EQ(outcome.differing, 4u);
  EXPECT_EQ(outcome.nans, 1u);
  EXPECT_EQ(outcome.infinities, 2u);
}

TEST_P(Gemm, FindsTheBlockThatDiffersFromTheMajority) {
  const GemmProblem problem = random_problem(GetParam().format, 4);
  Nth second_block(kSumsOfRound + 7 * 512 + 1, ~0U, 0x7FC00000);
  const GemmOutcome outcome = judge(multiply(GetParam(), problem, 1, 3, second_block), {});
  EXPECT_TRUE(outcome.decided);
  EXPECT_EQ(outcome.wrong, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(outcome.nans, 1u);
}

TEST_P(Gemm, CountsItsSteps) {
  const Product product = multiply(GetParam(), random_problem(GetParam().format, 1), 2, 2);
  EXPECT_EQ(product.products, (std::vector<std::uint64_t>{8 * kernels::kTileSteps * 2, 8 * kernels::kTileSteps * 2}));
}

// Each result on multiprocessors from `first` on has a wrong lowest bit.
class WrongFrom : public kernels::HostFaults {
 public:
  explicit WrongFrom(unsigned first) : first_(first) {}
  std::uint64_t computed(std::uint64_t bits, unsigned sm) override { return sm >= first_ ? bits ^ 1 : bits; }

 private:
  unsigned first_;
};

// What two runs, with exact and with random data, tell of three multiprocessors.
SmLedger ledger_of(const FormatCase& one, kernels::HostFaults& faults) {
  const std::vector<kernels::SmSpan> spans = {{0, 0}, {1, 1}, {2, 2}};
  SmLedger ledger;
  for (const GemmProblem& problem : {exact_problem(one.format, 1), random_problem(one.format, 2)}) {
    ledger.add_run(spans, judge(multiply(one, problem, 1, 3, faults), problem.sums).wrong);
  }
  return ledger;
}

TEST_P(Gemm, AccusesTheMultiprocessorThatDeviates) {
  WrongFrom last(2);
  EXPECT_EQ(ledger_of(GetParam(), last).convicted(), std::vector<unsigned>{2});
}

// The kernel or its compiler, not this GPU.
TEST_P(Gemm, AccusesNobodyOfWhatAllMultiprocessorsDoWrong) {
  WrongFrom first(0);
  const SmLedger ledger = ledger_of(GetParam(), first);
  EXPECT_TRUE(ledger.suspected().empty());
  EXPECT_GE(ledger.wrong_together(), 1u);
  EXPECT_FALSE(ledger.clean());
}

INSTANTIATE_TEST_SUITE_P(Formats, Gemm,
                         testing::Values(FormatCase{Format::fp32, "fp32"}, FormatCase{Format::tf32, "tf32"},
                                         FormatCase{Format::fp16, "fp16"}, FormatCase{Format::bf16, "bf16"},
                                         FormatCase{Format::fp8, "fp8"}),
                         [](const auto& one) { return std::string(one.param.name); });

// Where PTX ISA says that wgmma finds 16 bytes of a row, in a K-major layout without swizzling: from the tile's
// beginning, 8 rows at a time by the stride of the descriptor, 16 bytes at a time by its leading dimension, and row by
// row of 16 bytes within a core matrix.
TEST(GemmTile, LiesAsCoreMatricesWhereAWarpgroupMultiplies) {
  std::vector<int> words(kTile * kTileWords);
  for (unsigned row = 0; row < kTile; ++row) {
    for (unsigned word = 0; word < kTileWords; ++word) {
      const unsigned byte =
          row / 8 * kernels::kCoreRowBytes + word / 4 * kernels::kCoreBytes + row % 8 * 16 + word % 4 * 4;
      EXPECT_EQ(4 * kernels::core_place(row, word), byte);
      ++words.at(kernels::core_place(row, word));
    }
  }
  EXPECT_EQ(words, std::vector<int>(kTile * kTileWords, 1)) << "a place is used twice or never";
  EXPECT_LT(kernels::kCoreRowBytes / 16, 1U << 14) << "too much for the field of a descriptor";
  // A step of 32 bytes moves by two core matrices; the second warpgroup's columns begin at the 32nd.
  EXPECT_EQ(4 * kernels::core_place(0, kernels::kStepWords), 2 * kernels::kCoreBytes);
  EXPECT_EQ(4 * kernels::core_place(32, 0), 4 * kernels::kCoreRowBytes);
}

TEST(GemmVote, DecidesNothingWithoutAMajority) {
  std::vector<float> sums(2 * kTile * kTile);
  const std::vector<std::uint32_t> digests(2 * kTileThreads);
  EXPECT_TRUE(judge_blocks(sums, digests, {}, 1).decided);
  sums[5] = 1;
  const GemmOutcome outcome = judge_blocks(sums, digests, {}, 1);
  EXPECT_FALSE(outcome.decided);
  EXPECT_EQ(outcome.wrong, (std::vector<bool>{false, false}));
}

TEST(GemmVote, TellsTheTwoZeroesApart) {
  const std::vector<float> known(kTile * kTile, 0.0F);
  std::vector<float> sums = known;
  sums[77] = -0.0F;
  EXPECT_EQ(judge_blocks(sums, digests_of(known, 1), known, 1).differing, 1u);
}

TEST(NumberFormat, ReadsWhatTheDefinitionsSay) {
  EXPECT_EQ(kernels::decode(Format::fp16, 0x3C00), 1.0F);
  EXPECT_EQ(kernels::decode(Format::fp16, 0xFBFF), -65504.0F);
  EXPECT_EQ(kernels::decode(Format::fp16, 0x0001), std::ldexp(1.0F, -24));
  EXPECT_EQ(kernels::decode(Format::bf16, 0x4049), 3.140625F);
  EXPECT_EQ(kernels::decode(Format::tf32, 0xC0490000), -3.140625F);
  EXPECT_EQ(kernels::decode(Format::tf32, 0x3F801FFF), 1.0F);  // the lower 13 bits do not count
  EXPECT_EQ(kernels::decode(Format::fp32, 0x3F800001), std::nextafter(1.0F, 2.0F));
  EXPECT_EQ(kernels::decode(Format::fp8, 0x7E), 448.0F);
  EXPECT_EQ(kernels::decode(Format::fp8, 0x81), -std::ldexp(1.0F, -9));
  EXPECT_EQ(kernels::decode(Format::fp8, 0x38), 1.0F);
}

TEST(NumberFormat, HoldsEveryIntegerThatATestUses) {
  for (const Format format : {Format::fp32, Format::tf32, Format::fp16, Format::bf16, Format::fp8}) {
    const int most = format == Format::fp8 ? 5 : 127;
    for (int i = -most; i <= most; ++i) {
      const auto value = static_cast<float>(i) / 4;
      EXPECT_EQ(kernels::decode(format, kernels::encode(format, value)), value);
    }
  }
}

TEST(GemmPath, NamesTheInstructionOrWhyThereIsNone) {
  EXPECT_EQ(path_of(Format::fp32, 50, 61).instruction, "fma");
  EXPECT_EQ(path_of(Format::fp16, 75, 75).instruction, "two mma.sync m16n8k8");
  EXPECT_EQ(path_of(Format::fp16, 90, 90).instruction, "mma.sync m16n8k16");
  EXPECT_EQ(path_of(Format::fp16, 50, 70).why_not, "not covered: its kernel was compiled for compute capability 5.0");
  EXPECT_EQ(path_of(Format::bf16, 75, 90).instruction, "");
  EXPECT_EQ(path_of(Format::tf32, 80, 86).instruction, "mma.sync m16n8k8");
  for (const int native : {89, 120, 121})
    EXPECT_EQ(path_of(Format::fp8, native, native).instruction, "mma.sync m16n8k32");
  const bool wgmma = kernels::multiplies_by_warpgroup();
  EXPECT_EQ(path_of(Format::fp8, 90, 90).instruction, wgmma ? "wgmma m64n32k32" : "");
  EXPECT_EQ(path_of(Format::fp8, 89, 90).instruction, "");  // compiled by the driver from other text
  for (const int lowered : {100, 103, 110}) {
    EXPECT_EQ(path_of(Format::fp8, lowered, lowered).instruction, "");
    EXPECT_NE(path_of(Format::fp8, lowered, lowered).why_not.find("fp16 units"), std::string::npos);
  }
  EXPECT_EQ(path_of(Format::fp8, 80, 89).instruction, "");
}

}  // namespace
}  // namespace cutopsy
