#include "engine/explain/relation_table.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

struct Rules {
  static constexpr std::string_view kTags[] = {"peer-lost"};
  static constexpr Relation kExplains[] = {
      {"cuda/launch-failure"}, {"cuda/*", Scope::gpu}, {"tag:peer-lost"}, {"*/exact-*"}, {"driver/xid"}};
  Rule cause, launch, other_cuda, closed, exact, longer;

  Rules() {
    cause.id = "cuda/cause";
    cause.explains = kExplains;
    launch.id = "cuda/launch-failure";
    other_cuda.id = "cuda/ecc";
    closed.id = "distributed/closed";
    closed.tags = kTags;
    exact.id = "z/exact-match";
    longer.id = "driver/xid-79";
  }
  RelationTable table() const {
    const Rule* rules[] = {&longer, &cause, &launch, &exact, &other_cuda, &closed, &launch};
    return RelationTable(rules);
  }
};

TEST(RelationTable, FindsTargetsByIdGlobAndTag) {
  const Rules rules;
  const RelationTable table = rules.table();
  EXPECT_EQ(table.between(rules.cause, rules.launch).size(), 2u);
  ASSERT_EQ(table.between(rules.cause, rules.other_cuda).size(), 1u);
  EXPECT_EQ(table.between(rules.cause, rules.other_cuda)[0]->same, Scope::gpu);
  EXPECT_EQ(table.between(rules.cause, rules.closed).size(), 1u);
  EXPECT_EQ(table.between(rules.cause, rules.exact).size(), 1u);
}

TEST(RelationTable, FindsNothingElse) {
  const Rules rules;
  const RelationTable table = rules.table();
  EXPECT_TRUE(table.between(rules.cause, rules.cause).empty());
  EXPECT_TRUE(table.between(rules.cause, rules.longer).empty());
  EXPECT_TRUE(table.between(rules.launch, rules.cause).empty());
}

}  // namespace
}  // namespace cutopsy
