// What a rule says to people, parsed from the piece of YAML that it keeps.
#include "engine/rule/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/rule/loader.h"
#include "tests/unit/rule_text.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

Advice advice_of(const std::string& yaml, std::string_view id) {
  const LoadedRules loaded = load_rules_from_text("rules/test.yaml", yaml);
  EXPECT_THAT(loaded.problems, IsEmpty()) << to_string(loaded.problems.front());
  const Rule* rule = loaded.rules.find(id);
  return rule ? parse_advice(*rule) : Advice{};
}

TEST(AdviceTest, ReadsEveryText) {
  const Advice advice = advice_of(
      "- id: memory/gpu-oom\n"
      "  title: T\n"
      "  match: { event: gpu.oom }\n"
      "  cause: >-\n"
      "    {tried_to_allocate} is more\n"
      "    than is left.\n"
      "  fix:\n"
      "    - { do: Shrink the batch., run: 'python train.py --batch 1' }\n"
      "    - do: Second.\n"
      "  debug: [Look., Look again.]\n"
      "  prevent: Measure.\n"
      "  references: [https://docs.pytorch.org/docs/stable/notes/cuda.html]\n",
      "memory/gpu-oom");
  EXPECT_EQ(advice.cause, "{tried_to_allocate} is more than is left.");
  ASSERT_THAT(advice.fix, SizeIs(2));
  EXPECT_EQ(advice.fix[0].what, "Shrink the batch.");
  EXPECT_EQ(advice.fix[0].run, "python train.py --batch 1");
  EXPECT_EQ(advice.fix[1].what, "Second.");
  EXPECT_EQ(advice.fix[1].run, "");
  EXPECT_THAT(advice.debug, ElementsAre("Look.", "Look again."));
  EXPECT_EQ(advice.prevent, "Measure.");
  EXPECT_THAT(advice.references, ElementsAre("https://docs.pytorch.org/docs/stable/notes/cuda.html"));
  EXPECT_THAT(advice.examples, IsEmpty());
}

TEST(AdviceTest, ReadsExamplesWithTheirLineInTheFile) {
  const Advice advice = advice_of("# a comment\n" + rule_with("  examples:\n"
                                                              "    - log: |\n"
                                                              "        first\n"
                                                              "          second\n"
                                                              "      fields: { code: 79, name: 'a b' }\n"
                                                              "    - not: |\n"
                                                              "        # near\n"),
                                  "memory/gpu-oom");
  ASSERT_THAT(advice.examples, SizeIs(2));
  EXPECT_TRUE(advice.examples[0].must_match);
  EXPECT_EQ(advice.examples[0].log, "first\n  second\n");
  EXPECT_THAT(advice.examples[0].fields, ElementsAre(Pair("code", "79"), Pair("name", "a b")));
  EXPECT_EQ(advice.examples[0].line, 8);
  EXPECT_FALSE(advice.examples[1].must_match);
  EXPECT_EQ(advice.examples[1].log, "# near\n");
  EXPECT_EQ(advice.examples[1].line, 12);
}

TEST(AdviceTest, ARowInheritsWhatItDoesNotSay) {
  const Advice advice = advice_of(kTableOfRules, "driver/xid-45");
  EXPECT_EQ(advice.cause, "Text of the table.");
  ASSERT_THAT(advice.fix, SizeIs(1));
  EXPECT_EQ(advice.fix[0].what, "Reboot {host}, then look for Xid 45.");
}

TEST(AdviceTest, ARowOverridesAndKeepsOtherBraces) {
  EXPECT_EQ(advice_of(kTableOfRules, "driver/xid-79").cause, "Off the bus, {pci} says");
}

TEST(AdviceTest, NearMissesOfATableHoldForRowsWithExamplesOfTheirOwn) {
  const std::string table = kTableOfRules.substr(0, kTableOfRules.find("  table:")) +
                            "  table:\n"
                            "    - code: 45\n"
                            "      examples:\n"
                            "        - log: own\n"
                            "  examples:\n"
                            "    - log: Xid {code}\n"
                            "    - not: no Xid {code}\n";
  const Advice advice = advice_of(table, "driver/xid-45");
  ASSERT_THAT(advice.examples, SizeIs(2));
  EXPECT_EQ(advice.examples[0].log, "own");
  EXPECT_EQ(advice.examples[0].line, 9);
  EXPECT_EQ(advice.examples[1].log, "no Xid 45");
  EXPECT_EQ(advice.examples[1].line, 12);
}

TEST(AdviceTest, ARuleFromNowhereSaysNothing) {
  EXPECT_THAT(parse_advice(Rule{}).fix, IsEmpty());
  EXPECT_EQ(parse_advice(Rule{}).cause, "");
}

}  // namespace
}  // namespace cutopsy
