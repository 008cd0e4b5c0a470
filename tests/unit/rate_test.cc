#include "engine/report/rate.h"

#include <gtest/gtest.h>

#include "engine/match/finding.h"

namespace cutopsy {
namespace {

Incident repeated(std::uint64_t count, std::optional<double> seconds) {
  Incident incident;
  incident.count = count;
  incident.repeats_lasted = seconds;
  return incident;
}

TEST(Rate, TellsTheTimeInAReadableUnit) {
  EXPECT_EQ(rate_of(repeated(1204, 61.2))->text, "1,204 times within 62 s");
  EXPECT_EQ(rate_of(repeated(64, 0))->text, "64 times within 1 s");
  EXPECT_EQ(rate_of(repeated(10, 1790))->text, "10 times within 30 min");
  EXPECT_EQ(rate_of(repeated(1234567, 5 * 3600))->text, "1,234,567 times within 5 h");
  EXPECT_EQ(rate_of(repeated(30, 29.5 * 86400))->text, "30 times within 30 days");
}

TEST(Rate, IsKnownOfManyRepeatsWithTimesOnly) {
  EXPECT_FALSE(rate_of(repeated(kFewestForARate - 1, 5)));
  EXPECT_TRUE(rate_of(repeated(kFewestForARate, 5)));
  EXPECT_FALSE(rate_of(repeated(1000, std::nullopt)));
}

TEST(Rate, GroupsThousands) {
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(12345678), "12,345,678");
}

TEST(Clock, IsThatOfADatedLineOrTheKernelsUptime) {
  Envelope dated;
  dated.seconds = 1.7e9;
  dated.time = "2026-11-30 10:00:00";
  EXPECT_EQ(clock_of(dated).seconds, 1.7e9);
  Envelope uptime;
  uptime.kernel = true;
  uptime.time = " 7421.118204";
  EXPECT_DOUBLE_EQ(clock_of(uptime).seconds, 7421.118204);
  EXPECT_TRUE(clock_of(uptime).since_boot);
  Envelope time_of_day;
  time_of_day.time = "10:00:00";
  EXPECT_EQ(clock_of(time_of_day).seconds, 0);
  time_of_day.kernel = true;
  EXPECT_EQ(clock_of(time_of_day).seconds, 0);
}

TEST(Clock, OnlyClocksOfOneKindAreCompared) {
  EXPECT_EQ(seconds_between({10, true}, {72, true}), 62);
  EXPECT_FALSE(seconds_between({10, true}, {1.7e9, false}));
  EXPECT_FALSE(seconds_between({10, true}, {}));
}

}  // namespace
}  // namespace cutopsy
