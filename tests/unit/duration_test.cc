#include "parsers/duration.h"

#include <gtest/gtest.h>

#include <utility>

namespace cutopsy {
namespace {

TEST(Duration, ReadsThePrintedForms) {
  for (const auto& [text, seconds] : {
           std::pair{"45s", 45.0},                       // NVRM: RPC timeouts
           std::pair{"1800000 ms", 1800.0},              // Gloo
           std::pair{"1800012 milliseconds", 1800.012},  // ProcessGroupNCCL's watchdog
           std::pair{"600 seconds", 600.0},
           std::pair{"30 minutes", 1800.0},
           std::pair{"1 minute", 60.0},
           std::pair{"2h", 7200.0},
           std::pair{"0.25 s", 0.25},
           std::pair{"0:30:00", 1800.0},  // datetime.timedelta
           std::pair{"0:00:00.250000", 0.25},
           std::pair{"1 day, 0:30:00", 88200.0},
           std::pair{"12:34", 754.0},   // tqdm
           std::pair{"1m30.5s", 90.5},  // Go
           std::pair{"1h2m3s", 3723.0},
           std::pair{"250us", 0.00025},
       }) {
    const auto duration = read_duration(text);
    ASSERT_TRUE(duration) << text;
    EXPECT_DOUBLE_EQ(duration->seconds, seconds) << text;
    EXPECT_EQ(duration->text, text);
  }
}

TEST(Duration, TakesNothingOfWhatFollows) {
  EXPECT_EQ(read_duration("45s of waiting for RPC")->text, "45s");
  EXPECT_EQ(read_duration("600 seconds.")->text, "600 seconds");
  EXPECT_EQ(read_duration("0:30:00)")->text, "0:30:00");
  EXPECT_EQ(read_duration("1 day, then")->text, "1 day");
  EXPECT_EQ(read_duration("5s 3m")->text, "5s");
}

TEST(Duration, OtherTextIsNone) {
  for (const char* text : {"", "s", "1800000", "5 GPUs", "30 parsecs", ":30", "1:2", "-5s", "99999999999999999999s"})
    EXPECT_FALSE(read_duration(text)) << text;
}

TEST(Duration, SecondsAreWrittenWithoutNeedlessDigits) {
  EXPECT_EQ(seconds_text(1800), "1800");
  EXPECT_EQ(seconds_text(1800.012), "1800.012");
  EXPECT_EQ(seconds_text(0.25), "0.25");
  EXPECT_EQ(seconds_text(0), "0");
}

}  // namespace
}  // namespace cutopsy
