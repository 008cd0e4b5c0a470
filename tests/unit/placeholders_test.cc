#include "engine/report/placeholders.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

std::string fill(std::string_view text) {
  Fields fields;
  fields.set("free", "1.20 GiB");
  fields.set("bad", "\x1b[2J");
  Fields facts;
  facts.set("driver_version", "570.124.06");
  return fill_placeholders(text, fields, facts);
}

TEST(Placeholders, TakesFieldsAndFacts) {
  EXPECT_EQ(fill("{free} free under driver {facts.driver_version}"), "1.20 GiB free under driver 570.124.06");
}

TEST(Placeholders, SaysWhatTheLogDoesNotTell) {
  EXPECT_EQ(fill("{capacity}"), "?");
}

TEST(Placeholders, ThatTouchAreAlternatives) {
  EXPECT_EQ(fill("{capacity}{free} free"), "1.20 GiB free");
  EXPECT_EQ(fill("{free}{facts.driver_version} free"), "1.20 GiB free");
  EXPECT_EQ(fill("{capacity}{total} free"), "? free");
  EXPECT_EQ(fill("{capacity} of {free}"), "? of 1.20 GiB");
}

TEST(Placeholders, LeavesOtherBracesAlone) {
  EXPECT_EQ(fill("export A={B} ${HOME} {} {a b} {"), "export A={B} ${HOME} {} {a b} {");
}

TEST(Placeholders, MakesValuesPrintable) {
  EXPECT_EQ(fill("{bad}"), "\xEF\xBF\xBD[2J");
}

}  // namespace
}  // namespace cutopsy
