#include "engine/explain/rank_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace cutopsy {
namespace {

struct Waiting {
  const char* rank;
  const char* sequence;
  const char* op = "ALLREDUCE";
  const char* numel = "4096";
  const char* group = "default_pg";
};

std::vector<Event> events_of(std::initializer_list<Waiting> ranks) {
  std::vector<Event> events;
  for (const Waiting& waiting : ranks) {
    Event& event = events.emplace_back();
    event.kind = "nccl.timeout";
    event.fields.set("rank", waiting.rank);
    event.fields.set("seq", waiting.sequence);
    event.fields.set("op", waiting.op);
    event.fields.set("numel_in", waiting.numel);
    event.fields.set("pg_name", waiting.group);
  }
  return events;
}

TEST(RankComparison, FindsTheRankThatCalledAnotherOperation) {
  auto found = compare_ranks(events_of({{"0", "7"}, {"1", "7", "BROADCAST"}, {"2", "7"}}), 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, "nccl.mismatch");
  EXPECT_EQ(found->fields.get("rank"), "1");
  EXPECT_EQ(found->fields.get("found"), "BROADCAST numel_in=4096");
  EXPECT_EQ(found->fields.get("expected"), "ALLREDUCE numel_in=4096");
}

TEST(RankComparison, FindsTheRankWhoseTensorHasAnotherSize) {
  auto found = compare_ranks(events_of({{"0", "7"}, {"1", "7"}, {"5", "7", "ALLREDUCE", "4000"}}), 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->fields.get("rank"), "5");
}

TEST(RankComparison, FindsRanksThatAreOutOfStepInANamedGroupOnly) {
  auto found = compare_ranks(events_of({{"0", "8"}, {"1", "8"}, {"2", "7"}}), 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->fields.get("what"), "sequence");
  EXPECT_EQ(found->fields.get("ranks"), "2");
  EXPECT_FALSE(compare_ranks(events_of({{"0", "8", "ALLREDUCE", "1", ""}, {"1", "7", "ALLREDUCE", "1", ""}}), 0));
}

TEST(RankComparison, DoesNotCompareRanksOfDifferentGroups) {
  EXPECT_FALSE(compare_ranks(events_of({{"0", "7", "ALLREDUCE", "1", "tp"}, {"1", "7", "BROADCAST", "1", "dp"}}), 0));
}

TEST(RankComparison, NamesTheRanksThatNeverCame) {
  auto found = compare_ranks(events_of({{"0", "7"}, {"1", "7"}, {"3", "7"}}), 4);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, "nccl.absent");
  EXPECT_EQ(found->fields.get("ranks"), "2");
  EXPECT_FALSE(compare_ranks(events_of({{"0", "7"}, {"1", "7"}}), 0)) << "the size of the job is not known";
  EXPECT_FALSE(compare_ranks(events_of({{"0", "7"}}), 8)) << "most ranks' logs are missing";
}

TEST(RankComparison, TakesARanksFirstWaitAndAnyOrder) {
  auto events = events_of({{"0", "9"}, {"0", "7"}, {"1", "7"}, {"1", "8"}, {"2", "7", "BROADCAST"}});
  auto found = compare_ranks(events, 0);
  std::reverse(events.begin(), events.end());
  auto reversed = compare_ranks(events, 0);
  ASSERT_TRUE(found && reversed);
  EXPECT_EQ(found->fields.get("rank"), "2");
  EXPECT_EQ(reversed->fields.get("rank"), "2");
}

TEST(RankComparison, IgnoresWhatIsNoRank) {
  EXPECT_FALSE(compare_ranks(events_of({{"x", "7"}, {"99999999999999999999", "7", "BROADCAST"}}), 0));
}

}  // namespace
}  // namespace cutopsy
