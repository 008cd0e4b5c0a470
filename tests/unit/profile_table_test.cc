#include "parsers/profile_table.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

using Cells = std::vector<std::string_view>;

TEST(ProfileTable, CellsOfEachLayout) {
  EXPECT_EQ(cells_of("  12.3%  1.2345s   f(int, float *)", Layout::aligned),
            (Cells{"12.3%", "1.2345s", "f(int, float *)"}));
  EXPECT_EQ(cells_of("| 1 |  | a|b |", Layout::boxed), (Cells{"1", "", "a|b"}));
  EXPECT_EQ(cells_of("1,,\"f(int, int)\",x", Layout::commas), (Cells{"1", "", "f(int, int)", "x"}));
  EXPECT_EQ(cells_of("\"a\"\"b\",2", Layout::commas), (Cells{"a\"\"b", "2"}));
  EXPECT_EQ(cells_of("1\t\tx", Layout::tabs), (Cells{"1", "", "x"}));
}

TEST(ProfileTable, BrokenRowsStillEnd) {
  EXPECT_TRUE(cells_of("", Layout::aligned).empty());
  EXPECT_TRUE(cells_of("", Layout::boxed).empty());
  EXPECT_TRUE(cells_of("|", Layout::boxed).empty());
  EXPECT_EQ(cells_of("", Layout::commas), (Cells{""}));
  EXPECT_EQ(cells_of("\"never closed, 2", Layout::commas), (Cells{"never closed, 2"}));
  EXPECT_EQ(cells_of("\"", Layout::commas), (Cells{""}));
}

TEST(ProfileTable, LayoutsAreKnownByTheHeader) {
  EXPECT_EQ(layout_of("Time (%)  Total Time (ns)  Name"), Layout::aligned);
  EXPECT_EQ(layout_of("| Time (%) | Name |"), Layout::boxed);
  EXPECT_EQ(layout_of("Time (%),Total Time (ns),Name"), Layout::commas);
  EXPECT_EQ(layout_of("Time (%)\tName"), Layout::tabs);
}

TEST(ProfileTable, HeadersTellWhatATableCounts) {
  EXPECT_EQ(columns_of({"Time (%)", "Total Time (ns)", "Instances", "Name"}).counts, Counts::totals);
  EXPECT_EQ(columns_of({"Time (%)", "Total Time (ns)", "Count", "Operation"}).counts, Counts::totals);
  EXPECT_EQ(columns_of({"Type", "Time(%)", "Time", "Calls", "Name"}).counts, Counts::totals);
  EXPECT_EQ(columns_of({"Time (%)", "Total Time (ns)", "Num Calls", "Name"}).counts, Counts::host_calls);
  EXPECT_EQ(columns_of({"Time (%)", "Total Time (ns)", "Count", "Name"}).counts, Counts::host_calls);
  EXPECT_EQ(columns_of({"Time (%)", "Total Time (ns)", "Instances", "Style", "Range"}).counts, Counts::host_calls);
  EXPECT_EQ(columns_of({"Start (ns)", "Duration (ns)", "SrcMemKd", "Name"}).counts, Counts::runs);
  EXPECT_EQ(columns_of({"Duration (ns)", "Start (ns)", "Src Kind", "Dst Kind", "API Name"}).counts,
            Counts::slow_copies);
  EXPECT_EQ(columns_of({"Total (MB)", "Count", "Avg (MB)", "Operation"}).counts, Counts::nothing_known);
  EXPECT_EQ(columns_of({"Name", "Self CPU %", "Self CPU"}).counts, Counts::nothing_known);
  EXPECT_EQ(columns_of({}).counts, Counts::nothing_known);
}

TEST(ProfileTable, HeadersNameColumnsAndTheUnitOfTime) {
  const Columns columns = columns_of({"Type", "Time(%)", "Total Time (us)", "Calls", "Avg (us)", "Name"});
  EXPECT_EQ(columns.type, 0u);
  EXPECT_EQ(columns.time, 2u);
  EXPECT_EQ(columns.count, 3u);
  EXPECT_EQ(columns.name, 5u);
  EXPECT_EQ(columns.source, Columns::none);
  EXPECT_EQ(columns.unit, "us");
}

TEST(ProfileTable, TimesInEachUnit) {
  double value = 0;
  std::string_view unit;
  ASSERT_TRUE(read_number("1,234.5us", value, unit));
  EXPECT_EQ(value, 1234.5);
  EXPECT_EQ(microseconds(value, unit), 1234.5);
  EXPECT_EQ(microseconds(2, "s"), 2e6);
  EXPECT_EQ(microseconds(2, "ms"), 2e3);
  EXPECT_EQ(microseconds(2000, "ns"), 2);
  EXPECT_FALSE(read_number("-", value, unit));
  EXPECT_FALSE(read_number("", value, unit));
}

}  // namespace
}  // namespace cutopsy
