// The set of memory tests as a table: what each level does, and that each test is sound by itself.
#include "validators/pattern_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

namespace cutopsy {
namespace {

using Action = PatternStep::Action;

class EachTest : public testing::TestWithParam<const PatternTest*> {};

std::vector<const PatternTest*> all_tests() {
  std::vector<const PatternTest*> tests;
  for (const PatternTest& test : pattern_tests()) tests.push_back(&test);
  return tests;
}

INSTANTIATE_TEST_SUITE_P(PatternSet, EachTest, testing::ValuesIn(all_tests()), [](const auto& one) {
  std::string name(one.param->name);
  std::erase(name, '-');
  return name;
});

TEST_P(EachTest, ExpectsInEachStepWhatTheStepsBeforeLeft) {
  std::uint64_t holds = 0;
  bool filled = false;
  for (const PatternStep& step : GetParam()->steps) {
    if (step.action == Action::fill) {
      holds = step.flip;
      filled = true;
      continue;
    }
    EXPECT_TRUE(filled);
    EXPECT_EQ(step.flip, holds);
    if (step.action == Action::invert) holds = ~holds;
  }
}

TEST_P(EachTest, ReadsEveryBitAsZeroAndAsOne) {
  for (std::uint64_t number = 0; number < 70; ++number) {
    std::uint64_t ones = 0;
    std::uint64_t zeroes = 0;
    for (const PatternStep& step : GetParam()->steps) {
      if (step.action == Action::fill) continue;
      const std::uint64_t seed = GetParam()->seed(1, 0);
      const std::uint64_t word = kernels::expected_word(GetParam()->pattern, number, seed) ^ step.flip;
      ones |= word;
      zeroes |= ~word;
    }
    EXPECT_EQ(ones & zeroes, ~0ULL);
  }
}

TEST(PatternSet, GrowsWithTheLevel) {
  EXPECT_EQ(names_of(tests_of(Level::quick)), "own-address, address-hash");
  EXPECT_EQ(names_of(tests_of(Level::standard)), "own-address, address-hash, inversions, walking-bit, random");
  EXPECT_EQ(tests_of(Level::thorough).size(), pattern_tests().size());
}

TEST(PatternSet, HasOtherDataInLaterRounds) {
  for (const PatternTest& test : pattern_tests()) {
    const bool same = test.seed(1, 0) == test.seed(1, 1);
    EXPECT_EQ(same, test.name == "own-address" || test.name == "address-hash") << test.name;
  }
}

TEST(PatternSet, InvertsBothFormsInBothOrders) {
  std::string order;
  for (const PatternStep& step : tests_named("inversions", nullptr)->front()->steps) {
    if (step.action == Action::invert) order += std::string(step.falling ? "-" : "+") + (step.flip == 0 ? "0" : "1");
  }
  EXPECT_EQ(order, "+0+1-0-1");
}

TEST(PatternSet, FindsTestsByName) {
  std::string unknown;
  EXPECT_EQ(names_of(*tests_named(" random,own-address ", &unknown)), "random, own-address");
  EXPECT_FALSE(tests_named("own-address, zebra", &unknown));
  EXPECT_EQ(unknown, "zebra");
}

}  // namespace
}  // namespace cutopsy
