#include "engine/rule/causal_depth.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/rule/relation_cycles.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Rule rule_of(std::string_view id, std::span<const Relation> explains) {
  static constexpr Signature kCause[] = {{.event = {}, .where = {}, .line = "x", .triggers = {}}};
  Rule rule;
  rule.id = id;
  rule.explains = explains;
  rule.signatures = kCause;
  return rule;
}

std::vector<std::uint32_t> depths(std::vector<Rule> rules) {
  set_causes_above(rules);
  std::vector<std::uint32_t> depths;
  for (const Rule& rule : rules) depths.push_back(rule.causes_above);
  return depths;
}

TEST(CausalDepth, CountsTheLongestChainAboveARule) {
  static constexpr Relation kFromA[] = {{"x/b"}, {"x/c"}};
  static constexpr Relation kFromB[] = {{"x/c*"}};
  EXPECT_THAT(depths({rule_of("x/a", kFromA), rule_of("x/b", kFromB), rule_of("x/c", {}), rule_of("x/alone", {})}),
              ElementsAre(0, 1, 2, 0));
}

TEST(CausalDepth, EndsInACircle) {
  static constexpr Relation kToB[] = {{"x/b"}};
  static constexpr Relation kToA[] = {{"x/a"}};
  EXPECT_EQ(depths({rule_of("x/a", kToB), rule_of("x/b", kToA)}).size(), 2u);
}

TEST(CausalDepth, TakesPeersOfATagForNeitherAboveNorCircular) {
  static constexpr std::string_view kTags[] = {"link"};
  static constexpr Relation kPeers[] = {{"tag:link"}};
  std::vector<Rule> rules = {rule_of("x/a", kPeers), rule_of("x/b", kPeers)};
  for (Rule& rule : rules) rule.tags = kTags;
  EXPECT_THAT(depths(rules), ElementsAre(0, 0));
  EXPECT_THAT(relation_cycles(rules), IsEmpty());
}

}  // namespace
}  // namespace cutopsy
