#include "parsers/envelope/timestamp.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

TEST(ReadTimestamp, AYearMayStandLast) {
  EXPECT_EQ(read_timestamp("Mon Nov 30 10:00:00 2026 x").text, "Mon Nov 30 10:00:00 2026");
  EXPECT_EQ(read_timestamp("Nov 30 10:00:00 2026 x").year, 2026);
}

// moreutils' ts before the lines of a CI system.
TEST(ReadTimestamp, TheYearOfAFurtherTimestampIsNotThatOfTheFirst) {
  const Timestamp time = read_timestamp("Nov 30 10:00:00 2026-02-02T01:00:01.0000000Z x");
  EXPECT_EQ(time.text, "Nov 30 10:00:00");
  EXPECT_EQ(time.year, 0);
}

}  // namespace
}  // namespace cutopsy
