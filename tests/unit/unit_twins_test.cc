#include "parsers/unit_twins.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

TEST(UnitTwins, SizesGetOneInBytes) {
  Fields fields;
  fields.set("limit", "536870912kB");
  fields.set("usage", "59.2 GB");
  fields.set("anon_rss", "100kB");
  add_unit_twins(fields);
  EXPECT_EQ(fields.get("limit_bytes"), "549755813888");
  EXPECT_EQ(fields.get("usage_bytes"), "63565515980");
  EXPECT_EQ(fields.get("anon_rss_bytes"), "102400");
  EXPECT_EQ(fields.get("limit"), "536870912kB");
}

TEST(UnitTwins, DurationsGetOneInSeconds) {
  Fields fields;
  fields.set("timeout", "0:30:00");
  fields.set("waited", "45s");
  add_unit_twins(fields);
  EXPECT_EQ(fields.get("timeout_seconds"), "1800");
  EXPECT_EQ(fields.get("waited_seconds"), "45");
}

TEST(UnitTwins, NumbersWithoutUnitAndOtherTextsGetNone) {
  Fields fields;
  fields.set("limit", "4096");
  fields.set("size", "12 layers");
  fields.set("timeout", "600000");
  fields.set("elapsed", "45s or so");
  add_unit_twins(fields);
  EXPECT_EQ(fields.size(), 4u);
}

TEST(UnitTwins, KeepWhatIsThere) {
  Fields fields;
  fields.set("free", "1 GiB");
  fields.set("free_bytes", "7");
  add_unit_twins(fields);
  EXPECT_EQ(fields.get("free_bytes"), "7");
}

}  // namespace
}  // namespace cutopsy
