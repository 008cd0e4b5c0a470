// How a report tells that one finding led to the next.
#include "engine/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/explain/causality.h"
#include "tests/unit/finding_log.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(Chain, ShowsTheClosestCauseOfEachSymptom) {
  FindingLog log;
  const Rule* last = log.rule("x/c");
  const Rule* middle = log.rule("x/b", {{"x/c"}});
  const Rule* first = log.rule("x/a", {{"x/b"}, {"x/c"}});
  log.add(first);
  log.add(middle);
  log.add(last);
  auto diagnosis = log.diagnose();
  ASSERT_THAT(diagnosis.incidents, SizeIs(1));
  ASSERT_THAT(diagnosis.incidents[0].because, SizeIs(2));
  EXPECT_EQ(diagnosis.incidents[0].because[1].rule, "x/b");
  EXPECT_EQ(diagnosis.incidents[0].because[1].explains, "x/c");
  EXPECT_EQ(diagnosis.incidents[0].because[1].explained.line, 3u);
}

TEST(Chain, AChainDoesNotRunBackwardsWhereItNeedNot) {
  FindingLog log;
  const Rule* failed = log.rule("x/rank-failed");
  const Rule* closed = log.rule("x/peer-closed", {{"x/rank-failed"}});
  log.add(log.rule("x/cause"));
  log.add(failed, Role::banner);
  log.add(closed, Role::effect);
  const auto diagnosis = log.diagnose();
  ASSERT_THAT(rules_of(diagnosis), ElementsAre("x/cause"));
  ASSERT_THAT(diagnosis.incidents[0].because, SizeIs(2));
  for (const Because& link : diagnosis.incidents[0].because) EXPECT_EQ(link.rule, "x/cause") << link.explains;
}

TEST(Chain, AChainFollowsTheOrderOfTheLog) {
  FindingLog log;
  const Rule* early = log.rule("x/early");
  const Rule* late = log.rule("x/late", {{"x/early"}});
  log.add(log.rule("x/cause", {{"x/early"}, {"x/late"}}));
  log.add(early);
  log.add(late);
  const auto diagnosis = log.diagnose();
  ASSERT_THAT(diagnosis.incidents, SizeIs(1));
  ASSERT_THAT(diagnosis.incidents[0].because, SizeIs(2));
  EXPECT_EQ(diagnosis.incidents[0].because[0].explains, "x/early");
  EXPECT_EQ(diagnosis.incidents[0].because[1].explains, "x/late");
}

TEST(Chain, AChainPrefersCausesOfTheSameInput) {
  FindingLog log;
  log.inputs() = {{.lines = 9}, {.lines = 9}};
  const Rule* last = log.rule("x/last");
  const Rule* elsewhere = log.rule("x/elsewhere", {{"x/last"}, {"x/here"}});
  const Rule* here = log.rule("x/here");
  log.add(elsewhere).where.input = 1;
  log.add(here);
  log.add(last, Role::effect);
  const auto diagnosis = log.diagnose();
  ASSERT_THAT(rules_of(diagnosis), ElementsAre("x/elsewhere"));
  ASSERT_THAT(diagnosis.incidents[0].because, SizeIs(2));
  EXPECT_EQ(diagnosis.incidents[0].because[1].rule, "x/here");
}

TEST(Chain, ShowsTheFirstLinesLinksAndKindsOfConsequence) {
  constexpr std::size_t kLinesShown = 4;
  constexpr std::size_t kKindsShown = 16;
  for (std::size_t more : {0, 1}) {
    FindingLog log;
    const Rule* cause = log.rule("x/cause", {{"y/*"}});
    for (std::size_t i = 0; i < kLinesShown + more; ++i) log.add(cause);
    for (std::size_t i = 0; i < kKindsShown + more; ++i) log.add(log.rule("y/" + std::to_string(i)));
    const auto diagnosis = log.diagnose();
    ASSERT_THAT(diagnosis.incidents, SizeIs(1));
    EXPECT_THAT(diagnosis.incidents[0].evidence, SizeIs(kLinesShown));
    EXPECT_THAT(diagnosis.incidents[0].symptoms, SizeIs(kKindsShown));
    EXPECT_THAT(diagnosis.incidents[0].because, SizeIs(kKindsShown));
    EXPECT_EQ(diagnosis.incidents[0].count, kLinesShown + more);
  }
}

}  // namespace
}  // namespace cutopsy
