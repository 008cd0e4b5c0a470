#include "parsers/fact_names.h"

#include <gtest/gtest.h>

#include <set>

namespace cutopsy {
namespace {

TEST(FactNames, AreDistinctAndHaveAMeaning) {
  std::set<std::string_view> seen;
  for (const FactName& fact : fact_names()) {
    EXPECT_TRUE(seen.insert(fact.name).second) << fact.name;
    EXPECT_FALSE(fact.meaning.empty()) << fact.name;
  }
}

TEST(FactNames, AreFoundByName) {
  ASSERT_TRUE(find_fact_name("driver_version"));
  EXPECT_TRUE(find_fact_name("driver_version")->uniform);
  EXPECT_FALSE(find_fact_name("gpu_uuid")->uniform);
  EXPECT_FALSE(find_fact_name("driver_verson"));
  EXPECT_FALSE(find_fact_name(""));
}

}  // namespace
}  // namespace cutopsy
