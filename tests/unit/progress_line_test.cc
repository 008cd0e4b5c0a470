#include <gtest/gtest.h>

#include "engine/live/progress_bar.h"

namespace cutopsy {
namespace {

constexpr ProgressFigures kQuarter{
    .bytes = 250'000'000, .all_bytes = 1'000'000'000, .inputs = 5, .all_inputs = 20, .seconds = 2};

TEST(ProgressLine, TellsShareRateAndTimeLeft) {
  EXPECT_EQ(progress_line(kQuarter, 120),
            "[" + std::string(10, '#') + std::string(30, ' ') + "]  25%  125 MB/s  0:06 left  5 of 20 inputs");
}

TEST(ProgressLine, TellsHoursAndLargeRates) {
  ProgressFigures figures = kQuarter;
  figures.all_bytes = 1'000'000'000'000;
  EXPECT_NE(progress_line(figures, 120).find("  125 MB/s  2:13:18 left"), std::string::npos);
  figures.bytes = 5'000'000'000;
  EXPECT_NE(progress_line(figures, 120).find("  2.5 GB/s  "), std::string::npos);
}

TEST(ProgressLine, FitsIntoAnyTerminal) {
  for (std::size_t columns = 1; columns < 150; ++columns) EXPECT_LT(progress_line(kQuarter, columns).size(), columns);
}

TEST(ProgressLine, NeverShowsMoreThanAll) {
  ProgressFigures figures = kQuarter;
  figures.bytes = 2'000'000'000;
  EXPECT_NE(progress_line(figures, 120).find(" 100%  500 MB/s  0:00 left"), std::string::npos);
}

TEST(ProgressLine, SaysNothingWhileNothingIsKnown) {
  EXPECT_EQ(progress_line({}, 80), "");
  EXPECT_EQ(progress_line({.bytes = 0, .all_bytes = 10, .inputs = 0, .all_inputs = 1, .seconds = 1}, 80), "");
}

}  // namespace
}  // namespace cutopsy
