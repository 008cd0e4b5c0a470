// A storm is counted, not read line by line; what is found must be what reading every line finds.
#include "engine/match/storm.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/pipeline.h"
#include "engine/rule/loader.h"
#include "engine/source/byte_source.h"

namespace cutopsy {
namespace {

using ::testing::SizeIs;

std::string rule(const std::string& id, const std::string& match, const std::string& more = "") {
  return "- id: " + id + "\n  title: t\n  severity: error\n  match: " + match + "\n" + more +
         "  cause: c\n  fix: [{ do: f }]\n";
}

std::string assertion(int thread, const std::string& condition) {
  return fmt::format("a/Index.cu:92: f: block: [{},0,0], thread: [{},0,0] Assertion `{}` failed.\n", thread / 32,
                     thread % 32, condition);
}

// The findings of `log`; fails when reading every line would give others.
std::vector<Finding> findings(const std::string& rules, const std::string& log) {
  const RuleIndex index(load_rules_from_text("test.yaml", rules).rules);
  const auto read = [&](bool scan) {
    const auto source = open_text(log);
    return read_input(index, "log", *source, {.scan = scan}).findings;
  };
  const auto told = [](const std::vector<Finding>& all) {
    std::vector<std::string> texts;
    for (const Finding& finding : all) {
      texts.push_back(fmt::format("{} {} x{} {}-{} {} {} {}", name_of(finding), finding.text, finding.count,
                                  finding.where.line, finding.last.line, finding.last_at.seconds, finding.cleared,
                                  finding.envelope.rank));
    }
    return texts;
  };
  auto found = read(true);
  EXPECT_EQ(told(found), told(read(false)));
  return found;
}

TEST(Storm, CountsEachConditionOfAsserts) {
  std::string log;
  for (int thread = 0; thread < 200; ++thread) log += assertion(thread, "i < n") + assertion(thread, "j < n");
  const auto found = findings(rule("x/assert", "{ event: torch.device_assert }"), log);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].count, 200u);
  EXPECT_EQ(found[0].last.line, 399u);
  EXPECT_EQ(found[1].last.line, 400u);
}

TEST(Storm, LeavesTheCoordinatesToARuleThatAsksForThem) {
  std::string log;
  for (int thread = 0; thread < 200; ++thread) log += assertion(thread, "i < n");
  const std::string any = rule("x/assert", "{ event: torch.device_assert }");
  const std::string where = "{ event: torch.device_assert, where: { thread: '^.31,0,0' } }";
  EXPECT_THAT(findings(any + rule("x/thread", where), log), SizeIs(2));
  EXPECT_THAT(findings(any + rule("x/line", "{ line: 'block: .5,0,0., thread: .31,0' }"), log), SizeIs(2));
}

TEST(Storm, TellsWritersApart) {
  std::string log;
  for (int thread = 0; thread < 100; ++thread) {
    log += fmt::format("[rank{}]: ", thread % 2) + assertion(thread, "i < n");
  }
  log += "[rank2]: " + assertion(7, "i < n");
  EXPECT_THAT(findings(rule("x/assert", "{ event: torch.device_assert }"), log), SizeIs(3));
}

TEST(Storm, KnowsWhenTheLastLineWasLogged) {
  std::string log;
  for (int second = 10; second < 60; ++second) {
    log += fmt::format("2026-11-30 10:00:{} left_side is broken\n", second);
  }
  const auto found = findings(rule("x/line", "{ line: 'left_side' }"), log);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].count, 50u);
  EXPECT_EQ(found[0].last_at.seconds - found[0].first_at.seconds, 49);
}

TEST(Storm, EndsWhereARuleTakesBackWhatItCounts) {
  const std::string rules =
      rule("x/fault", "{ line: 'left_side' }") + rule("x/retry", "{ line: 'right_side' }", "  clears: [x/fault]\n");
  std::string log;
  for (int line = 0; line < 40; ++line) log += "left_side\n";
  log += "right_side\nleft_side\n";
  const auto found = findings(rules, log);
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].count, 1u);
  EXPECT_FALSE(found[0].cleared);
}

TEST(Storm, EndsWhereACombinationGrows) {
  const std::string rules = rule("x/fault", "{ line: 'left_side' }") +
                            rule("x/both", "{ sequence: [{ line: 'left_side' }, { line: 'right_side' }], within: 3 }");
  std::string log;
  for (int round = 0; round < 40; ++round) log += "left_side\n";
  EXPECT_THAT(findings(rules, log + "right_side\n"), SizeIs(2));
}

}  // namespace
}  // namespace cutopsy
