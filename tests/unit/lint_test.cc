// Checks across rules.
#include "engine/rule/lint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/rule_text.h"

namespace cutopsy {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// What every rule needs beside its id, match and relations; lines 3 to 9 of a rule.
const std::string kRest =
    "  title: T\n"
    "  cause: C\n"
    "  fix: [{ do: F }]\n"
    "  references: [https://docs.nvidia.com/]\n"
    "  examples:\n"
    "    - { log: out of memory }\n"
    "    - { not: enough memory }\n";

/// A rule with nothing to complain about, ten lines and more with `lines`.
std::string rule(const std::string& id, const std::string& lines = "",
                 const std::string& match = "{ event: gpu.oom }") {
  return "- id: " + id + "\n  match: " + match + "\n" + kRest + lines;
}

std::vector<RuleProblem> lint(const std::string& yaml) {
  const LoadedRules loaded = load_rules_from_text("rules/test.yaml", yaml);
  EXPECT_THAT(loaded.problems, IsEmpty()) << to_string(loaded.problems.front());
  return lint_rules(loaded.rules);
}

auto is_problem(const std::string& code, int line, int column, const std::string& says) {
  return AllOf(Field(&RuleProblem::code, code), Field(&RuleProblem::line, line), Field(&RuleProblem::column, column),
               Field(&RuleProblem::message, HasSubstr(says)));
}

TEST(LintTest, GoodRulesHaveNoProblems) {
  EXPECT_THAT(lint(rule("a/x", "  explains: [a/y, 'b/*']\n") + rule("a/y") + rule("b/z")), IsEmpty());
}

TEST(LintTest, ARelationMustNameARule) {
  EXPECT_THAT(
      lint(rule("a/first", "  explains: [a/secnd, 'c/*']\n") + rule("a/second", "  clears: [nothing/here]\n")),
      ElementsAre(is_problem("unknown-rule", 10, 14, "did you mean 'a/second'?"),
                  is_problem("unknown-rule", 10, 23, "'c/*'"), is_problem("unknown-rule", 20, 12, "'nothing/here'")));
}

TEST(LintTest, CausesMustNotExplainEachOther) {
  EXPECT_THAT(lint(rule("a/x", "  explains: [b/y]\n") + rule("b/y", "  explains: ['c/*']\n") +
                   rule("c/z", "  explains: [a/*]\n")),
              ElementsAre(is_problem("cyclic-relation", 10, 14, "a/x > b/y > c/z > a/x")));
}

TEST(LintTest, AGlobMayHitItsOwnRule) {
  EXPECT_THAT(lint(rule("a/x", "  explains: ['a/*']\n") + rule("a/y")), IsEmpty());
}

TEST(LintTest, ACircleThroughAnEffectIsNone) {
  EXPECT_THAT(
      lint(rule("a/x", "  explains: [b/y]\n") + rule("b/y", "  explains: [a/x]\n", "{ event: gpu.oom, role: effect }")),
      IsEmpty());
}

TEST(LintTest, APlaceholderMustNameAFieldOfTheEvent) {
  std::string yaml = rule("a/x");
  yaml.replace(yaml.find("cause: C"), 8, "cause: '{capacity} is less than {triedto_allocate}'");
  EXPECT_THAT(lint(yaml), ElementsAre(is_problem("unknown-placeholder", 4, 10, "did you mean 'tried_to_allocate'?")));
}

TEST(LintTest, APlaceholderMayNameACaptureAFactOrThePlace) {
  std::string yaml = rule("a/x", "",
                          "{ any: [{ line: 'died at (?P<spot>\\d+)' }, { event: gpu.oom, where: "
                          "{ message: '(?P<why>GPU)' } }] }");
  yaml.replace(yaml.find("do: F"), 5, "do: '{spot} {why} {facts.driver_version} {host} {rank} {x y} {Z}'");
  EXPECT_THAT(lint(yaml), IsEmpty());
}

TEST(LintTest, ALineIsNotFoundByWhatOrdinaryLinesHold) {
  EXPECT_THAT(
      lint(rule("a/x", "", "{ line: '(?:Invalid user|a/arena) (?P<name>\\w+)' }")),
      ElementsAre(is_problem("common-trigger", 2, 18, "lines are searched for 'Invalid ', which 113 of 100000")));
  EXPECT_THAT(lint(rule("a/x", "", "{ line: 'arena of (?P<name>\\w+) is exhausted' }")), IsEmpty());
}

TEST(LintTest, ShowsMustNameFacts) {
  EXPECT_THAT(lint(rule("a/x", "  shows: [driver_version, driver_verson]\n")),
              ElementsAre(is_problem("unknown-fact", 10, 27, "did you mean 'driver_version'?")));
}

TEST(LintTest, APlaceholderOfAFactMustNameOne) {
  std::string yaml = rule("a/x");
  yaml.replace(yaml.find("cause: C"), 8, "cause: 'with torch {facts.torchversion}'");
  EXPECT_THAT(lint(yaml), ElementsAre(is_problem("unknown-fact", 4, 10, "did you mean 'torch_version'?")));
}

TEST(LintTest, APlaceholderMayNameAFactThatTheRuleShows) {
  std::string yaml = rule("a/x", "  shows: [exit_code]\n");
  yaml.replace(yaml.find("cause: C"), 8, "cause: 'ended with {exit_code}'");
  EXPECT_THAT(lint(yaml), IsEmpty());
}

TEST(LintTest, ARuleNeedsAnExampleANearMissAndAReference) {
  EXPECT_THAT(lint("\n" + rule_with("")), ElementsAre(is_problem("missing-example", 2, 3, "log: |"),
                                                      is_problem("missing-near-miss", 2, 3, "not: |"),
                                                      is_problem("missing-reference", 2, 3, "references")));
}

TEST(LintTest, OneNearMissServesAWholeTable) {
  const std::string rows =
      "  references: [https://docs.nvidia.com/]\n"
      "  table:\n"
      "    - { code: 45, examples: [{ log: a }] }\n"
      "    - { code: 79, examples: [{ log: b }, { not: c }] }\n"
      "    - { code: 99 }\n";
  std::string yaml = kTableOfRules.substr(0, kTableOfRules.find("  table:")) + rows;
  EXPECT_THAT(lint(yaml), ElementsAre(is_problem("missing-example", 10, 7, "driver/xid-99")));
}

TEST(LintTest, AProblemInTheTextOfATableIsReportedOnce) {
  std::string yaml = kTableOfRules;
  yaml.insert(yaml.find("  table:"), "  explains: [no/rule]\n");
  std::vector<int> lines;
  for (const RuleProblem& problem : lint(yaml)) {
    if (problem.code == "unknown-rule") lines.push_back(problem.line);
  }
  EXPECT_THAT(lines, ElementsAre(6));
}

TEST(LintTest, ProblemsWithinARowStandAtItsText) {
  std::string yaml = kTableOfRules;
  yaml.replace(yaml.find("'Off the bus, {pci} says'"), 25, "'Off the bus, {pic} says'");
  EXPECT_THAT(lint(yaml), Contains(is_problem("unknown-placeholder", 9, 43, "'pic'")));
}

TEST(LintLoadedTest, RulesMayNameThoseOfTheOtherSet) {
  const LoadedRules mine = load_rules_from_text("mine.yaml", rule("a/x", "  explains: [b/y]\n"));
  const LoadedRules others = load_rules_from_text("others.yaml", rule("b/y", "  explains: [nothing/here]\n"));
  EXPECT_THAT(lint_loaded(mine, others.rules), IsEmpty());
}

TEST(LintLoadedTest, DoesNotMissRulesThatOnlyFailedToLoad) {
  const LoadedRules loaded = load_rules_from_text("mine.yaml", rule("a/x", "  explains: [b/y]\n") + "- id: b/y\n");
  EXPECT_THAT(lint_loaded(loaded), Not(Contains(Field(&RuleProblem::code, "unknown-rule"))));
  EXPECT_THAT(lint_loaded(loaded), Contains(Field(&RuleProblem::code, "missing-key")));
}

}  // namespace
}  // namespace cutopsy
