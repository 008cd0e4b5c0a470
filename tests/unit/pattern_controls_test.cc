// What a memory test may conclude: judged reports, and the controls that they are judged by.
#include "validators/pattern_controls.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace cutopsy {
namespace {

using kernels::PatternReport;
using kernels::WrongWord;

constexpr std::uint64_t kWords = 20'014;
constexpr std::uint64_t kSeed = 5;

// The report of a pass that found the controls and then `more`.
PatternReport report_of(const std::array<Control, 4>& controls, std::initializer_list<WrongWord> more = {}) {
  PatternReport report{.compared = kWords, .wrong = 0, .wrong_bits = 0, .words = {}};
  for (const Control& control : controls) report.words[report.wrong++] = control;
  for (const WrongWord& word : more) report.words[report.wrong++] = word;
  return report;
}

TEST(PatternControls, ArePlantedInEveryQuarterAndEveryLaneAsSingleBits) {
  for (std::uint64_t pass = 1; pass < 200; ++pass) {
    const auto controls = choose_controls(kWords, kSeed, pass);
    for (std::uint64_t k = 0; k < 4; ++k) {
      EXPECT_EQ(std::popcount(controls[k].difference), 1);
      EXPECT_GE(controls[k].number, kWords / 2 * k / 4 * 2);
      EXPECT_LT(controls[k].number, kWords / 2 * (k + 1) / 4 * 2);
      const unsigned bit = static_cast<unsigned>(std::countr_zero(controls[k].difference));
      EXPECT_EQ(controls[k].number % 2 * 2 + bit / 32, k) << "lane";
    }
  }
}

TEST(PatternControls, ReachTheLastQuadInEverySecondPass) {
  EXPECT_EQ(choose_controls(kWords, kSeed, 1)[3].number, kWords - 1);
  EXPECT_NE(choose_controls(kWords, kSeed, 2)[3].number, kWords - 1);
  EXPECT_EQ(choose_controls(kWords, kSeed, 3)[3].number, kWords - 1);
}

TEST(PatternControls, UseEveryBitOfALane) {
  std::set<std::uint64_t> masks;
  for (std::uint64_t pass = 1; pass < 1000; ++pass) {
    for (const Control& control : choose_controls(kWords, kSeed, pass)) masks.insert(control.difference);
  }
  EXPECT_EQ(masks.size(), 64u);
}

TEST(PatternControls, AreDifferentWordsEvenInTheSmallestTest) {
  std::set<std::uint64_t> numbers;
  for (const Control& control : choose_controls(8, kSeed, 2)) numbers.insert(control.number);
  EXPECT_EQ(numbers.size(), 4u);
}

TEST(PatternControls, MakeAPassWithNothingElseTrustworthy) {
  const auto controls = choose_controls(kWords, kSeed, 1);
  const PassJudgement judgement = judge(report_of(controls), controls, kWords);
  EXPECT_TRUE(judgement.complete);
  EXPECT_TRUE(judgement.controls_came_back);
  EXPECT_EQ(judgement.fault_count, 0u);
}

TEST(PatternControls, AreMissedByATestThatComparesNothing) {
  const auto controls = choose_controls(kWords, kSeed, 1);
  PatternReport report{};
  report.compared = kWords;
  EXPECT_FALSE(judge(report, controls, kWords).controls_came_back);
}

TEST(PatternControls, AreMissedWhenAnyOneIsNotThere) {
  const auto controls = choose_controls(kWords, kSeed, 1);
  for (int k = 0; k < 4; ++k) {
    PatternReport report = report_of(controls);
    report.words[k] = report.words[3];
    --report.wrong;
    EXPECT_FALSE(judge(report, controls, kWords).controls_came_back) << k;
  }
}

TEST(PatternControls, DoNotMakeUpForWordsThatWereNotCompared) {
  const auto controls = choose_controls(kWords, kSeed, 1);
  PatternReport report = report_of(controls);
  report.compared = kWords - 2;
  EXPECT_FALSE(judge(report, controls, kWords).complete);
  report.compared = kWords + 2;
  EXPECT_FALSE(judge(report, controls, kWords).complete);
}

TEST(PatternControls, LeaveTheOtherWordsAsFaultsInOrder) {
  const auto controls = choose_controls(kWords, kSeed, 1);
  const PassJudgement judgement = judge(report_of(controls, {{9001, 4}, {17, 1}}), controls, kWords);
  EXPECT_TRUE(judgement.controls_came_back);
  ASSERT_EQ(judgement.fault_count, 2u);
  EXPECT_EQ(judgement.faults[0].number, 17u);
  EXPECT_EQ(judgement.faults[1].number, 9001u);
  EXPECT_EQ(judgement.faults[1].difference, 4u);
}

TEST(PatternControls, LeaveAFaultOfTheirOwnWordToBeSeen) {
  const auto controls = choose_controls(kWords, kSeed, 1);
  PatternReport report = report_of(controls);
  const std::uint64_t extra = std::rotl(controls[1].difference, 1);
  report.words[1].difference |= extra;
  const PassJudgement judgement = judge(report, controls, kWords);
  EXPECT_FALSE(judgement.controls_came_back);
  ASSERT_EQ(judgement.fault_count, 1u);
  EXPECT_EQ(judgement.faults[0].number, controls[1].number);
  EXPECT_EQ(judgement.faults[0].difference, extra);
}

TEST(PatternControls, CountFaultsBeyondTheList) {
  const auto controls = choose_controls(kWords, kSeed, 1);
  PatternReport report{};
  report.compared = kWords;
  report.wrong = 1000;
  for (std::uint64_t i = 0; i < PatternReport::kMostListed; ++i) report.words[i] = {2 * i + 10'500, 1};
  const PassJudgement judgement = judge(report, controls, kWords);
  EXPECT_FALSE(judgement.controls_came_back);
  EXPECT_GE(judgement.fault_count, 996u);
}

}  // namespace
}  // namespace cutopsy
