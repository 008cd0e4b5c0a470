// What readings of a wrong word tell of its fault.
#include "validators/fault_examination.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

constexpr std::uint64_t kRight = 0x00FF00FF00FF00FF;

WordFault examined(std::uint64_t as_it_stood, std::uint64_t after_complement, std::uint64_t after_right_value) {
  return classify({.number = 3, .difference = 0x10}, kRight, as_it_stood, after_complement, after_right_value);
}

TEST(FaultExamination, CallsAWordThatReadsRightAfterwardsTransient) {
  EXPECT_EQ(examined(kRight, ~kRight, kRight).kind, FaultKind::transient);
}

TEST(FaultExamination, CallsAWordThatStaysWrongUntilItIsRewrittenStoredWrong) {
  const WordFault fault = examined(kRight ^ 0x10, ~kRight, kRight);
  EXPECT_EQ(fault.kind, FaultKind::stored_wrong);
  EXPECT_EQ(fault.text(), "stored wrong once");
}

TEST(FaultExamination, CallsBitsThatEachStoreChangesStoredWrongAgain) {
  const WordFault fault = examined(kRight ^ 0x10, ~kRight ^ 0x10, kRight ^ 0x10);
  EXPECT_EQ(fault.kind, FaultKind::stored_wrong);
  EXPECT_EQ(fault.text(), "stored wrong again and again");
}

// It read right the first time, so that the first error was none of the cell's; but it does not hold what is stored.
TEST(FaultExamination, CallsAWordThatFailsOnlyWhenItIsRewrittenStoredWrong) {
  EXPECT_EQ(examined(kRight, ~kRight ^ 1, kRight ^ 1).kind, FaultKind::stored_wrong);
}

TEST(FaultExamination, NamesStuckBitsAndTheirPolarity) {
  const std::uint64_t ones = 0x8000000000000000;
  const std::uint64_t zeroes = 0x3;
  const auto read = [&](std::uint64_t stored) { return (stored | ones) & ~zeroes; };
  const WordFault fault = examined(read(kRight), read(~kRight), read(kRight));
  EXPECT_EQ(fault.kind, FaultKind::stuck);
  EXPECT_EQ(fault.stuck_ones, ones);
  EXPECT_EQ(fault.stuck_zeroes, zeroes);
  EXPECT_EQ(fault.text(), "stuck at 1 in the bits 0x8000000000000000, at 0 in the bits 0x3");
  EXPECT_EQ(fault.word.number, 3u);
  EXPECT_EQ(fault.word.difference, 0x10u);
}

TEST(FaultExamination, FindsABitThatIsStuckThoughItReadRightAtFirst) {
  EXPECT_EQ(examined(kRight, ~kRight | 1, kRight).kind, FaultKind::stuck);
  EXPECT_EQ(examined(kRight, ~kRight | 1, kRight).stuck_ones, 1u);
}

}  // namespace
}  // namespace cutopsy
