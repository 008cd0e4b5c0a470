// Which multiprocessor erred: what a block's span and results prove, and what the sweep's bodies write.
#include "validators/multiprocessors.h"

#include <gtest/gtest.h>

#include "tests/unit/host_launch.h"

namespace cutopsy {
namespace {

using kernels::SmSpan;

TEST(SmLedger, ConvictsOnlyWhoErredInTwoRuns) {
  SmLedger ledger;
  const std::vector<SmSpan> spans = {{0, 0}, {3, 3}};
  ledger.add_run(spans, {false, true});
  EXPECT_TRUE(ledger.convicted().empty());
  EXPECT_EQ(ledger.suspected(), std::vector<unsigned>{3});
  EXPECT_EQ(ledger.wrong_together(), 0u);
  EXPECT_FALSE(ledger.clean());
  ledger.add_run(spans, {true, false});
  EXPECT_TRUE(ledger.convicted().empty());
  ledger.add_run(spans, {false, true});
  EXPECT_EQ(ledger.convicted(), std::vector<unsigned>{3});
  EXPECT_EQ(ledger.runs(), 3u);
}

TEST(SmLedger, CountsTwoWrongBlocksOfOneRunAsOneError) {
  SmLedger ledger;
  ledger.add_run(std::vector<SmSpan>{{5, 5}, {5, 5}, {6, 6}, {7, 7}}, {true, true, false, false});
  EXPECT_TRUE(ledger.convicted().empty());
  EXPECT_EQ(ledger.suspected(), std::vector<unsigned>{5});
  EXPECT_EQ(ledger.seen(), 3u);
}

TEST(SmLedger, BlamesNobodyForABlockThatMovedOrNeverRan) {
  SmLedger ledger;
  const std::vector<SmSpan> spans = {{1, 2}, {~0U, ~0U}, {3, 3}, {4, 4}};
  for (int run = 0; run < 2; ++run) ledger.add_run(spans, {true, true, false, false});
  EXPECT_TRUE(ledger.suspected().empty());
  EXPECT_EQ(ledger.unplaced(), 4u);
  EXPECT_EQ(ledger.seen(), 2u);
  EXPECT_FALSE(ledger.clean());
}

// What most of them do wrong at once is not theirs: a kernel that was compiled wrongly must accuse no GPU.
TEST(SmLedger, BlamesNobodyInARunInWhichMoreThanHalfAreWrong) {
  SmLedger ledger;
  const std::vector<SmSpan> spans = {{0, 0}, {1, 1}, {3, 3}, {4, 4}};
  for (int run = 0; run < 2; ++run) ledger.add_run(spans, {true, true, true, false});
  EXPECT_TRUE(ledger.suspected().empty());
  EXPECT_EQ(ledger.wrong_together(), 2u);
  EXPECT_EQ(ledger.seen(), 4u);
  EXPECT_FALSE(ledger.clean());
  EXPECT_TRUE(
      wrong_together_text(ledger, "erred").starts_with("more than half of the multiprocessors erred in 2 of 2"));
  for (int run = 0; run < 2; ++run) ledger.add_run(spans, {false, true, false, true});
  EXPECT_EQ(ledger.convicted(), (std::vector<unsigned>{1, 4}));
}

TEST(SmLedger, ListsNumbersAsASentenceDoes) {
  EXPECT_EQ(list_of({}), "");
  EXPECT_EQ(list_of({3}), "3");
  EXPECT_EQ(list_of({3, 4, 17}), "3, 4 and 17");
}

// A block that is on another multiprocessor each time that it asks.
class Moving : public kernels::HostFaults {
 public:
  unsigned sm_of(unsigned) override { return asked_++; }

 private:
  unsigned asked_ = 40;
};

TEST(MultiprocessorSweep, NotesTheMultiprocessorBeforeAndAfterTheWork) {
  Moving faults;
  SmSpan spans[1] = {};
  std::uint64_t results[32] = {};
  kernels::launch_on_host("cutopsy_sweep", {.grid = 1, .block = 32}, faults, static_cast<SmSpan*>(spans),
                          static_cast<std::uint64_t*>(results), 1U, 4U);
  EXPECT_EQ(spans[0].begin, 40u);
  EXPECT_GT(spans[0].end, spans[0].begin);
}

TEST(MultiprocessorSweep, ComputesTheSameInEveryBlockAndAnotherValueInEveryThread) {
  kernels::HostFaults healthy;
  SmSpan spans[3] = {};
  std::uint64_t results[96] = {};
  kernels::launch_on_host("cutopsy_sweep", {.grid = 3, .block = 32}, healthy, static_cast<SmSpan*>(spans),
                          static_cast<std::uint64_t*>(results), 9U, 16U);
  for (unsigned i = 0; i < 96; ++i) EXPECT_EQ(results[i], kernels::sweep_value(i % 32, 9, 16));
  EXPECT_NE(results[0], results[1]);
}

// Fixed by IEEE 754: no compiler, option or machine may change it.
TEST(MultiprocessorSweep, HasTheValueThatTheFormatsFix) {
  std::uint64_t all = 0;
  for (std::uint32_t thread = 0; thread < 256; ++thread) all = all * 31 + kernels::sweep_value(thread, 1, 512);
  EXPECT_EQ(all, 6477878122921515483ULL);
}

}  // namespace
}  // namespace cutopsy
