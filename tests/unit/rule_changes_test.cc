// What `cutopsy rules diff` tells of two sets of rules.
#include "engine/rule/rule_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/rule/loader.h"
#include "tests/unit/rule_text.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<RuleChange> changes(const std::string& before, const std::string& after) {
  return rule_changes(load_rules_from_text("a.yaml", before).rules, load_rules_from_text("b.yaml", after).rules);
}

TEST(RuleChanges, TheSameRulesElsewhereAreNoChange) {
  EXPECT_THAT(changes(kTableOfRules, "\n\n" + kTableOfRules), IsEmpty());
}

TEST(RuleChanges, ExamplesAreNoChange) {
  EXPECT_THAT(changes(rule_with(""), rule_with("  examples: [{ log: x }]\n")), IsEmpty());
}

TEST(RuleChanges, NamesWhatCameAndWent) {
  const auto found = changes(rule_with(""), kTableOfRules);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_EQ(found[0].id, "driver/xid-45");
  EXPECT_EQ(found[0].kind, RuleChange::Kind::added);
  EXPECT_EQ(found[2].id, "memory/gpu-oom");
  EXPECT_EQ(found[2].kind, RuleChange::Kind::removed);
}

TEST(RuleChanges, NamesThePartsThatDiffer) {
  const auto found = changes(rule_with("  severity: error\n"), rule_with("  severity: fatal\n  prevent: Test it.\n"));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].parts, ElementsAre("severity error -> fatal", "prevent added"));
}

TEST(RuleChanges, ARowOfATableChangesAlone) {
  std::string after = kTableOfRules;
  after.replace(after.find("severity: fatal"), 15, "severity: error");
  const auto found = changes(kTableOfRules, after);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].id, "driver/xid-79");
  EXPECT_THAT(found[0].parts, ElementsAre("severity fatal -> error"));
}

}  // namespace
}  // namespace cutopsy
