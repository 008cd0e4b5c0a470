#include "parsers/nvlink5_event.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace cutopsy {
namespace {

Fields decoded(std::string_view xid, std::string_view unit, std::string_view first, std::string_view status) {
  Fields fields;
  fields.set("xid", xid);
  fields.set("exception", unit);
  fields.set("intr_info", first);
  fields.set("status", status);
  decode_nvlink5_event(fields);
  return fields;
}

std::vector<std::string> columns_of(const std::string& row) {
  std::vector<std::string> columns;
  std::istringstream stream(row);
  for (std::string column; std::getline(stream, column, '\t');) columns.push_back(column);
  return columns;
}

TEST(Nvlink5Event, EverySubCodeOfTheCatalogueIsReadInBothLayouts) {
  std::ifstream file(CUTOPSY_TEST_DATA "/forms/nvlink5_events.tsv");
  int rows = 0;
  for (std::string row; std::getline(file, row);) {
    if (row.starts_with('#')) continue;
    ++rows;
    const auto columns = columns_of(row);
    ASSERT_EQ(columns.size(), 9u) << row;
    const Fields fields = decoded(columns[0], columns[1], columns[2], columns[3]);
    EXPECT_EQ(fields.get("subcode"), columns[4]) << row;
    EXPECT_EQ(fields.get("layout"), columns[5]) << row;
    EXPECT_EQ(fields.get("action"), columns[6]) << row;
    EXPECT_EQ(fields.get("investigate"), columns[7]) << row;
    EXPECT_EQ(fields.get("origin"), columns[8]) << row;
  }
  EXPECT_GE(rows, 190);
}

TEST(Nvlink5Event, OfSeveralStatusBitsTheGravestCounts) {
  EXPECT_EQ(decoded("144", "SAW_MVB", "0x00000001", "0x00000005").get("action"), "IGNORE");
  EXPECT_EQ(decoded("144", "SAW_MVB", "0x00000001", "0x00000013").get("action"), "RESET_GPU");
}

TEST(Nvlink5Event, BitsThatTheCatalogueLeavesOpenDoNotMatter) {
  const Fields fields = decoded("145", "RLW_SRC_TRACK", "0x04082907", "0x00000008");
  EXPECT_EQ(fields.get("layout"), "R575");
  EXPECT_EQ(fields.get("action"), "XID_154_EVAL");
}

TEST(Nvlink5Event, AFirstWordOfNoLayoutIsReadByTheNameOfTheUnit) {
  const Fields fields = decoded("149", "NETIR_BER_EVENT", "0x00000006", "0x00000000");
  EXPECT_EQ(fields.get("action"), "IGNORE");
  EXPECT_FALSE(fields.has("layout"));
}

TEST(Nvlink5Event, WhatTheCatalogueDoesNotListStaysUndecoded) {
  EXPECT_FALSE(decoded("149", "NETIR_NEW_UNIT", "0x00000006", "0x00000000").has("action"));
  EXPECT_FALSE(decoded("145", "SAW_MVB", "0x00000001", "0x00000001").has("action"));
  EXPECT_FALSE(decoded("144", "SAW_MVB", "0x00000001", "0x00000040").has("action"));
  EXPECT_FALSE(decoded("144", "SAW_MVB", "1", "0x00000001").has("action"));
  EXPECT_FALSE(decoded("144", "SAW_MVB", "0x1ffffffff", "0x00000001").has("action"));
  EXPECT_FALSE(decoded("", "", "", "").has("action"));
}

}  // namespace
}  // namespace cutopsy
