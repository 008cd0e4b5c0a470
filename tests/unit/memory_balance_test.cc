#include "parsers/memory_balance.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

TEST(MemoryBalance, AMissingNumberLeavesOutWhatNeedsIt) {
  Fields fields;
  fields.set("tried_to_allocate", "2.00 GiB");
  fields.set("capacity", "24.00 GiB");
  add_memory_balance({}, fields);
  EXPECT_EQ(fields.get("capacity_bytes"), "25769803776");
  for (auto name : {"free_bytes", "foreign_bytes", "foreign_share", "free_share", "fits_free", "fits_reserved"}) {
    EXPECT_FALSE(fields.has(name)) << name;
  }
}

TEST(MemoryBalance, NamedProcessesStandInForTheDifference) {
  Fields fields;
  fields.set("capacity", "8.00 GiB");
  add_memory_balance({"3.00 GiB", 3221225472u, 1}, fields);
  EXPECT_EQ(fields.get("foreign_bytes"), "3221225472");
  EXPECT_EQ(fields.get("foreign_share"), "0.375");
}

TEST(MemoryBalance, NumbersThatContradictEachOtherGiveNoNegativeSize) {
  Fields fields;
  fields.set("capacity", "8.00 GiB");
  fields.set("free", "6.00 GiB");
  fields.set("reserved", "4.00 GiB");
  fields.set("allocated", "5.00 GiB");
  add_memory_balance({}, fields);
  EXPECT_EQ(fields.get("foreign_bytes"), "0");
  EXPECT_EQ(fields.get("reserved_unused_bytes"), "0");
}

}  // namespace
}  // namespace cutopsy
