// Sets of rules: order, look-up, merging, digest; and the set that is built in.
#include "engine/rule/rule_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "engine/rule/advice.h"
#include "engine/rule/loader.h"
#include "tests/unit/rule_text.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::SizeIs;
using ::testing::StartsWith;

RuleSet set_of(std::initializer_list<std::pair<std::string, std::string>> ids_and_titles) {
  auto arena = std::make_shared<RuleArena>();
  std::vector<Rule> rules;
  for (const auto& [id, title] : ids_and_titles) {
    Rule rule;
    rule.id = arena->keep(id);
    rule.title = arena->keep(title);
    rule.yaml = arena->keep("{id: " + id + ", title: " + title + "}");
    rules.push_back(rule);
  }
  return RuleSet(std::move(rules), arena);
}

TEST(RuleSetTest, IsInOrderOfIdAndTheLastOfAnIdStays) {
  const RuleSet rules = set_of({{"b/y", "old"}, {"a/x", "first"}, {"b/y", "new"}});
  ASSERT_THAT(rules.rules(), SizeIs(2));
  EXPECT_EQ(rules.rules()[0].id, "a/x");
  EXPECT_EQ(rules.rules()[1].title, "new");
}

TEST(RuleSetTest, FindsById) {
  const RuleSet rules = set_of({{"a/x", "1"}, {"c/z", "2"}});
  ASSERT_NE(rules.find("c/z"), nullptr);
  EXPECT_EQ(rules.find("c/z")->title, "2");
  EXPECT_EQ(rules.find("b/y"), nullptr);
  EXPECT_EQ(rules.find("d/w"), nullptr);
  EXPECT_EQ(RuleSet().find("a/x"), nullptr);
}

TEST(RuleSetTest, MergingLetsTheOtherWinAndOutlivesBoth) {
  RuleSet merged;
  {
    const RuleSet mine = set_of({{"a/x", "mine"}, {"b/y", "mine"}});
    const RuleSet other = set_of({{"b/y", "other"}, {"c/z", "other"}});
    merged = mine.merged_with(other);
  }
  ASSERT_THAT(merged.rules(), SizeIs(3));
  EXPECT_EQ(merged.find("a/x")->title, "mine");
  EXPECT_EQ(merged.find("b/y")->title, "other");
  EXPECT_EQ(merged.find("c/z")->title, "other");
}

TEST(RuleSetTest, CopiesShareTheirRules) {
  const RuleSet rules = set_of({{"a/x", "1"}});
  const RuleSet copy = rules;
  EXPECT_EQ(copy.find("a/x"), rules.find("a/x"));
}

TEST(RuleSetTest, TheDigestIsTheSha256OfTheTexts) {
  // printf '{id: a/x, title: T}\0\0' | sha256sum
  EXPECT_EQ(set_of({{"a/x", "T"}}).digest(), "sha256:9639f2ee4acc14f9ddc4bbe769534d09a6d8041869d35fabbe9ea439bdcf4363");
}

TEST(RuleSetTest, TheDigestTellsSetsApart) {
  const std::string digest = set_of({{"a/x", "T"}, {"b/y", "T"}}).digest();
  EXPECT_EQ(set_of({{"b/y", "T"}, {"a/x", "T"}}).digest(), digest);
  EXPECT_NE(set_of({{"a/x", "T"}, {"b/y", "U"}}).digest(), digest);
  EXPECT_NE(set_of({{"a/x", "T"}}).digest(), digest);
}

TEST(RuleSetTest, GlobsMatchIds) {
  EXPECT_TRUE(id_matches("driver/xid-45", "driver/xid-45"));
  EXPECT_TRUE(id_matches("driver/*", "driver/xid-45"));
  EXPECT_TRUE(id_matches("*-45", "driver/xid-45"));
  EXPECT_TRUE(id_matches("d*r/x*4*", "driver/xid-45"));
  EXPECT_TRUE(id_matches("*", ""));
  EXPECT_FALSE(id_matches("driver/xid-4", "driver/xid-45"));
  EXPECT_FALSE(id_matches("driver/*-44", "driver/xid-45"));
  EXPECT_FALSE(id_matches("", "driver/xid-45"));
}

TEST(RuleSetTest, GlobsOfManyStarsTakeNoTime) {
  std::string stars;
  for (int i = 0; i < 1000; ++i) stars += "a*";
  EXPECT_FALSE(id_matches(stars + "b", std::string(10'000, 'a')));
}

MATCHER_P(IsSamePredicate, other, "") {
  return arg.field == other.field && arg.op == other.op && arg.text == other.text && arg.number == other.number &&
         std::ranges::equal(arg.values, other.values) && std::ranges::equal(arg.literals, other.literals);
}

void expect_same(std::span<const Signature> left, std::span<const Signature> right) {
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    EXPECT_EQ(left[i].event, right[i].event);
    EXPECT_EQ(left[i].line, right[i].line);
    EXPECT_EQ(left[i].role, right[i].role);
    EXPECT_EQ(left[i].severity, right[i].severity);
    EXPECT_TRUE(std::ranges::equal(left[i].triggers, right[i].triggers));
    ASSERT_EQ(left[i].where.size(), right[i].where.size());
    for (std::size_t p = 0; p < left[i].where.size(); ++p) {
      EXPECT_THAT(left[i].where[p], IsSamePredicate(right[i].where[p]));
    }
  }
}

bool same_relation(const Relation& left, const Relation& right) {
  return left.target == right.target && left.same == right.same;
}

void expect_same(const Rule& left, const Rule& right) {
  SCOPED_TRACE(left.id);
  EXPECT_EQ(left.id, right.id);
  EXPECT_EQ(left.title, right.title);
  EXPECT_EQ(left.severity, right.severity);
  EXPECT_EQ(left.combine, right.combine);
  expect_same(left.signatures, right.signatures);
  expect_same(left.absent, right.absent);
  EXPECT_EQ(left.within_lines, right.within_lines);
  EXPECT_EQ(left.same, right.same);
  EXPECT_TRUE(std::ranges::equal(left.explains, right.explains, same_relation));
  EXPECT_TRUE(std::ranges::equal(left.clears, right.clears, same_relation));
  EXPECT_THAT(left.shows, ElementsAreArray(right.shows.begin(), right.shows.end()));
  EXPECT_EQ(left.confirm.size(), right.confirm.size());
  EXPECT_EQ(left.yaml, right.yaml);
  EXPECT_EQ(left.row_yaml, right.row_yaml);
  EXPECT_EQ(left.source_line, right.source_line);
  EXPECT_EQ(left.row_line, right.row_line);
}

TEST(BuiltInRulesTest, AreTheRulesOfTheFiles) {
  const RuleSet built_in = RuleSet::built_in();
  const LoadedRules loaded = load_rules({CUTOPSY_TEST_DATA "/../rules"});
  ASSERT_EQ(built_in.rules().size(), loaded.rules.rules().size());
  for (std::size_t i = 0; i < built_in.rules().size(); ++i) {
    expect_same(built_in.rules()[i], loaded.rules.rules()[i]);
    EXPECT_THAT(std::string(built_in.rules()[i].source), StartsWith("rules/"));
  }
}

TEST(BuiltInRulesTest, KnowTheDigestThatTheFilesGive) {
  const LoadedRules loaded = load_rules({CUTOPSY_TEST_DATA "/../rules"});
  EXPECT_EQ(RuleSet::built_in().digest(), loaded.rules.digest());
}

TEST(BuiltInRulesTest, AllHaveACauseAndAFix) {
  for (const Rule& rule : RuleSet::built_in().rules()) {
    const Advice advice = parse_advice(rule);
    EXPECT_NE(advice.cause, "") << rule.id;
    EXPECT_FALSE(advice.fix.empty()) << rule.id;
  }
}

}  // namespace
}  // namespace cutopsy
