#include "engine/report/printable.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

TEST(Printable, ReplacesEscapesAndControls) {
  EXPECT_EQ(printable("a\x1b[31mb\x07"
                      "c",
                      100),
            "a\xEF\xBF\xBD[31mb\xEF\xBF\xBD"
            "c");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m",
                      100),
            "\xEF\xBF\xBD"
            "31m");  // the one-byte CSI
}

TEST(Printable, ReplacesBidirectionalOverrides) {
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b",
                      100),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(Printable, ReplacesWhatIsNoCharacter) {
  EXPECT_EQ(printable("a\xEF\xBF\xBE\xEF\xBF\xBF", 100), "a\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Printable, ReplacesEachByteThatIsNotUtf8) {
  EXPECT_EQ(printable("\xFF\xC0\xAF", 100), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Printable, KeepsUtf8) {
  EXPECT_EQ(printable("caf\xC3\xA9 \xE2\x9D\xB1 \xF0\x9F\x9A\x80", 100), "caf\xC3\xA9 \xE2\x9D\xB1 \xF0\x9F\x9A\x80");
}

TEST(Printable, PutsLinesOnOne) {
  EXPECT_EQ(printable("a\nb\tc", 100), "a b c");
  EXPECT_EQ(printable_lines("a\nb\tc", 100), "a\nb\tc");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable("ab\xC3\xA9"
                      "d",
                      3),
            "ab\xE2\x80\xA6");
}

}  // namespace
}  // namespace cutopsy
