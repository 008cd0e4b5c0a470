// What a rule file may do to rules that stand elsewhere.
#include "engine/rule/amendment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/pipeline.h"
#include "engine/rule/advice.h"
#include "engine/rule/loader.h"
#include "tests/unit/rule_text.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The rules of `base` with the file `over` laid over them; its problems go to `problems`.
RuleSet laid(const std::string& base, const std::string& over, std::vector<RuleProblem>& problems) {
  LoadedRules loaded = load_rules_from_text("over.yaml", over);
  const RuleSet rules = laid_over(load_rules_from_text("base.yaml", base).rules, loaded);
  problems = loaded.problems;
  return rules;
}

std::vector<std::string_view> ids(const RuleSet& rules) {
  std::vector<std::string_view> result;
  for (const Rule& rule : rules.rules()) result.push_back(rule.id);
  return result;
}

bool finds(const RuleSet& rules, const std::string& log) {
  const RuleIndex index(rules);
  const auto source = open_text(log);
  return !analyse(index, "log", *source).findings.empty();
}

TEST(Amendment, DisableTakesRulesOut) {
  std::vector<RuleProblem> problems;
  EXPECT_THAT(ids(laid(kTableOfRules, "- disable: driver/xid-4*\n", problems)), ElementsAre("driver/xid-79"));
  EXPECT_THAT(problems, IsEmpty());
}

TEST(Amendment, DisableOfNoRuleIsAProblemAtItsPlace) {
  std::vector<RuleProblem> problems;
  EXPECT_THAT(ids(laid(kTableOfRules, "\n- disable: driver/xid-78\n", problems)), SizeIs(2));
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(to_string(problems[0]),
            "over.yaml:2:3: disable: no rule is 'driver/xid-78'; did you mean 'driver/xid-79'? "
            "[unknown-rule]");
}

TEST(Amendment, AppendAddsASignatureAndKeepsTheOldOne) {
  const std::string base = rule_matching("{ line: 'the arena is exhausted' }");
  std::vector<RuleProblem> problems;
  const RuleSet rules = laid(base, "- append: memory/gpu-oom\n  match: { line: 'no slab left' }\n", problems);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_TRUE(finds(rules, "worker: no slab left"));
  EXPECT_TRUE(finds(rules, "worker: the arena is exhausted"));
  EXPECT_FALSE(finds(rules, "worker: all is well"));
}

TEST(Amendment, AppendKeepsConditionsOfNumbers) {
  const std::string base = rule_matching("{ event: gpu.oom, where: { free_share: { above: 0.5 } } }");
  std::vector<RuleProblem> problems;
  const RuleSet rules = laid(base, "- append: memory/gpu-oom\n  match: { line: 'no slab left' }\n", problems);
  ASSERT_THAT(problems, IsEmpty());
  const Predicate& predicate = rules.find("memory/gpu-oom")->signatures.front().where.front();
  EXPECT_EQ(predicate.op, Predicate::Op::above);
  EXPECT_EQ(predicate.number, 0.5);
}

TEST(Amendment, AppendAddsStepsAfterThoseOfTheRule) {
  std::vector<RuleProblem> problems;
  const RuleSet rules =
      laid(kTableOfRules, "- append: driver/xid-45\n  fix: [{ do: Call the site's hotline. }]\n", problems);
  const Advice advice = parse_advice(*rules.find("driver/xid-45"));
  ASSERT_THAT(advice.fix, SizeIs(2));
  EXPECT_EQ(advice.fix[0].what, "Reboot {host}, then look for Xid 45.");
  EXPECT_EQ(advice.fix[1].what, "Call the site's hotline.");
  EXPECT_EQ(parse_advice(*rules.find("driver/xid-79")).fix.size(), 1U);
}

TEST(Amendment, PrependPutsAStepBeforeThoseOfTheRule) {
  std::vector<RuleProblem> problems;
  const RuleSet rules = laid(kTableOfRules, "- prepend: driver/xid-45\n  fix: [{ do: Look at the rack. }]\n", problems);
  EXPECT_THAT(problems, IsEmpty());
  const Advice advice = parse_advice(*rules.find("driver/xid-45"));
  ASSERT_THAT(advice.fix, SizeIs(2));
  EXPECT_EQ(advice.fix[0].what, "Look at the rack.");
}

TEST(Amendment, DisableTakesOutTheRulesOfATag) {
  const std::string base = rule_with("  tags: [slab]\n");
  std::vector<RuleProblem> problems;
  EXPECT_THAT(ids(laid(base, "- disable: tag:slab\n", problems)), IsEmpty());
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_THAT(ids(laid(base, "- disable: tag:slap\n", problems)), SizeIs(1));
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_THAT(problems[0].message, HasSubstr("no rule has 'tag:slap'"));
}

TEST(Amendment, AppendToOneValueSaysToWriteTheRuleAnew) {
  const std::string base = rule_matching("{ all: [{ line: 'first words' }, { line: 'second words' }] }");
  std::vector<RuleProblem> problems;
  laid(base, "- append: memory/gpu-oom\n  match: { line: 'third words' }\n", problems);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].code, "not-appendable");
  EXPECT_THAT(problems[0].message, HasSubstr("write the whole rule anew"));
}

TEST(Amendment, AMistakeInWhatIsAppendedIsReportedAndTheRuleStays) {
  std::vector<RuleProblem> problems;
  const RuleSet rules = laid(kTableOfRules, "- append: driver/xid-79\n  match: { line: 'broken (' }\n", problems);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].code, "bad-regex");
  EXPECT_EQ(problems[0].line, 1);
  EXPECT_TRUE(finds(rules, "NVRM: Xid (PCI:0000:03:00): 79, pid=1, name=x, GPU has fallen off the bus."));
}

TEST(Amendment, ARuleOfTheSameIdIsReplacedBeforeAmendmentsApply) {
  const std::string over =
      "- append: memory/gpu-oom\n  match: { line: 'no slab left' }\n" + rule_matching("{ line: 'arena is exhausted' }");
  std::vector<RuleProblem> problems;
  const RuleSet rules = laid(rule_matching("{ line: 'old words of it' }"), over, problems);
  EXPECT_THAT(problems, IsEmpty());
  EXPECT_FALSE(finds(rules, "old words of it"));
  EXPECT_TRUE(finds(rules, "arena is exhausted"));
  EXPECT_TRUE(finds(rules, "no slab left"));
}

TEST(Requirement, ANewerEngineIsAskedForInTime) {
  const LoadedRules newer = load_rules_from_text("mine.yaml", "- requires: '99.1'\n" + rule_with(""));
  ASSERT_THAT(newer.problems, SizeIs(1));
  EXPECT_EQ(newer.problems[0].code, "needs-newer-engine");
  EXPECT_THAT(load_rules_from_text("mine.yaml", "- requires: '0.1'\n" + rule_with("")).problems, IsEmpty());
}

}  // namespace
}  // namespace cutopsy
