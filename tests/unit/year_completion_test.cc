#include "engine/explain/year_completion.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

constexpr double kDay = 86400;
constexpr double k2025March14 = 1741910400;  // 00:00 UTC

Finding logged(std::uint32_t input, std::string time, double seconds = 0) {
  Finding finding;
  finding.where = {input, 1};
  finding.envelope.time = std::move(time);
  finding.envelope.seconds = seconds;
  return finding;
}

TEST(YearCompletion, TakesTheYearThatLiesNearestToTheOthers) {
  std::vector<Finding> findings = {logged(0, "2025-03-14 00:00:00", k2025March14), logged(1, "Mar  9 00:00:00"),
                                   logged(1, "Dec 31 00:00:00"), logged(1, "03-14 12:00:00")};
  std::vector<InputTraits> inputs(2);
  inputs[0].first_seconds = inputs[0].last_seconds = k2025March14;
  complete_years(findings, {}, inputs);
  EXPECT_EQ(findings[1].envelope.seconds, k2025March14 - 5 * kDay);
  EXPECT_EQ(findings[2].envelope.seconds, k2025March14 - 73 * kDay);
  EXPECT_EQ(findings[3].envelope.seconds, k2025March14 + kDay / 2);
}

TEST(YearCompletion, KeepsTheDistancesWhereNoInputPrintsAYear) {
  std::vector<Finding> findings = {logged(0, "Jan  1 00:00:00"), logged(1, "Dec 31 12:00:00")};
  std::vector<InputTraits> inputs(2);
  complete_years(findings, {}, inputs);
  ASSERT_GT(findings[0].envelope.seconds, 0);
  EXPECT_EQ(findings[0].envelope.seconds - findings[1].envelope.seconds, kDay / 2);
}

TEST(YearCompletion, DatesAnInputByWhatWasFoundInIt) {
  std::vector<Finding> findings = {logged(1, "Mar 14 06:00:00")};
  Fact fact;
  fact.where = {1, 1};
  fact.envelope.time = "Mar 14 01:00:00";
  std::vector<InputTraits> inputs(2);
  inputs[0].first_seconds = inputs[0].last_seconds = k2025March14;
  complete_years(findings, std::span(&fact, 1), inputs);
  EXPECT_EQ(inputs[1].first_seconds, k2025March14 + 3600);
  EXPECT_EQ(inputs[1].last_seconds, k2025March14 + 6 * 3600);
  EXPECT_EQ(inputs[0].last_seconds, k2025March14);
}

TEST(YearCompletion, LeavesAloneWhatHasNoDateAndCasesOfOneInput) {
  for (const char* time : {"12:00:00", "84210.118891", "0314 12:00:00", ""}) {
    std::vector<Finding> findings = {logged(0, time)};
    std::vector<InputTraits> inputs(2);
    complete_years(findings, {}, inputs);
    EXPECT_EQ(findings[0].envelope.seconds, 0) << time;
  }
  std::vector<Finding> findings = {logged(0, "Mar 14 06:00:00")};
  std::vector<InputTraits> one(1);
  complete_years(findings, {}, one);
  EXPECT_EQ(findings[0].envelope.seconds, 0);
}

}  // namespace
}  // namespace cutopsy
