#include "engine/scan/ordinary_lines.h"

#include <gtest/gtest.h>

#include "engine/scan/substring_index.h"

namespace cutopsy {
namespace {

TEST(OrdinaryLines, KnowsWordsAndTheirParts) {
  EXPECT_GT(ordinary_lines("kernel"), 100U);
  EXPECT_GE(ordinary_lines("erne"), ordinary_lines("kernel"));
  EXPECT_EQ(ordinary_lines("xylophon"), 0U);
}

TEST(OrdinaryLines, AsksForBothWordsWhereTheyMeet) {
  EXPECT_GT(ordinary_lines("lid user"), 100U);  // sshd: Invalid user
  EXPECT_EQ(ordinary_lines("lid kern"), 0U);
  EXPECT_GE(ordinary_lines(" user"), ordinary_lines("lid user"));
}

TEST(OrdinaryLines, AWordThatTheLiteralEndsIsWhole) {
  EXPECT_GE(ordinary_lines("user"), ordinary_lines("user "));
  EXPECT_EQ(ordinary_lines("d use f"), 0U);  // "Invalid user from" holds no word "use"
}

TEST(OrdinaryLines, DigitsTellNothing) {
  EXPECT_EQ(ordinary_lines("0x60:0x4"), 0U);
  EXPECT_EQ(ordinary_lines("12345"), 0U);
}

TEST(SubstringIndex, NamesEveryTextThatHoldsThePart) {
  const std::string_view texts[] = {"abcab", "bca", "xyz"};
  const SubstringIndex index(texts);
  const auto of_ab = index.that_may_hold("ab");
  EXPECT_EQ(std::vector(of_ab.begin(), of_ab.end()), std::vector<std::uint32_t>({0}));
  const auto of_bca = index.that_may_hold("bca");
  EXPECT_EQ(std::vector(of_bca.begin(), of_bca.end()), std::vector<std::uint32_t>({0, 1}));
  EXPECT_TRUE(index.that_may_hold("zz").empty());
}

}  // namespace
}  // namespace cutopsy
