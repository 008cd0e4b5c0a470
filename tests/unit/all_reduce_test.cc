#include "validators/all_reduce.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cutopsy {
namespace {

constexpr unsigned kRanks = 3;

std::vector<float> right_sums(std::size_t places) {
  std::vector<float> sums(places);
  for (std::size_t place = 0; place < places; ++place) {
    for (unsigned rank = 0; rank < kRanks; ++rank) sums[place] += contribution(rank, kRanks, place);
  }
  return sums;
}

TEST(AllReduce, IsExactInAnyOrder) {
  for (const unsigned ranks : {2U, 8U, 16U, 72U}) {
    for (std::size_t place = 0; place < 500; ++place) {
      float upwards = 0, downwards = 0;
      for (unsigned rank = 0; rank < ranks; ++rank) {
        upwards += contribution(rank, ranks, place);
        downwards += contribution(ranks - 1 - rank, ranks, place);
      }
      ASSERT_EQ(upwards, downwards);
      ASSERT_LE(upwards, 1 << 24);
    }
  }
}

TEST(AllReduce, FindsNothingWrongInRightSums) {
  EXPECT_FALSE(wrong_sum(right_sums(1000), kRanks));
}

TEST(AllReduce, NamesTheFirstWrongPlace) {
  auto sums = right_sums(1000);
  sums[700] = std::nextafter(sums[700], 0.0F);
  sums[900] = NAN;
  const auto wrong = wrong_sum(sums, kRanks);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->count, 2U);
  EXPECT_EQ(wrong->first, 700U);
  EXPECT_FALSE(wrong->missing_rank);
}

TEST(AllReduce, NamesTheRankWhosePartIsMissing) {
  auto sums = right_sums(10);
  sums[4] -= contribution(2, kRanks, 4);
  EXPECT_EQ(wrong_sum(sums, kRanks)->missing_rank, 2U);
}

TEST(AllReduce, GivesEachRankAndPlaceItsOwn) {
  EXPECT_NE(contribution(0, kRanks, 5), contribution(1, kRanks, 5));
  EXPECT_NE(contribution(0, kRanks, 5), contribution(0, kRanks, 6));
  EXPECT_NE(contribution(0, kRanks, 5), contribution(0, kRanks, 5 + (1ULL << 32)));
}

}  // namespace
}  // namespace cutopsy
