#include "parsers/name_table.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

// "ab" and "ba" have the same length; "aXb" and "aYb" also the same ends: they are told apart by their text.
constexpr std::array<std::string_view, 4> kNames = {"ab", "ba", "aXb", "aYb"};
constexpr NameTable kTable(kNames);

TEST(NameTable, FindsEachName) {
  for (std::size_t i = 0; i < kNames.size(); ++i) EXPECT_EQ(kTable.find(kNames[i]), i) << kNames[i];
}

TEST(NameTable, KnowsNoOtherName) {
  for (std::string_view other : {"", "a", "abc", "aZb", "bb"}) EXPECT_EQ(kTable.find(other), kNames.size()) << other;
}

}  // namespace
}  // namespace cutopsy
