// What a job outlived, and what of it is still worth a warning.
#include "engine/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/explain/causality.h"
#include "engine/explain/survival.h"
#include "tests/unit/finding_log.h"

namespace cutopsy {
namespace {

using ::testing::SizeIs;

TEST(Survival, AKernelFaultOfAnotherDayIsAWarningBesideTheJobsFailure) {
  constexpr double kDay = 86400;
  for (bool job_failed : {true, false}) {
    FindingLog log;
    log.inputs().resize(2);
    log.inputs()[0] = {.lines = 9, .first_seconds = 9 * kDay, .last_seconds = 9 * kDay + 600};
    log.inputs()[1] = {.lines = 9, .kernel_clock = true};
    Finding& xid = log.add(log.rule("x/xid"));
    xid.envelope.kernel = true;
    xid.envelope.seconds = 4 * kDay;
    xid.where.input = 1;
    if (job_failed) log.add(log.rule("x/exception"), Role::generic).envelope.seconds = 9 * kDay + 500;
    const auto diagnosis = log.diagnose();
    ASSERT_THAT(diagnosis.incidents, SizeIs(job_failed ? 2 : 1));
    EXPECT_EQ(diagnosis.incidents.front().rule, job_failed ? "x/exception" : "x/xid");
    EXPECT_EQ(diagnosis.incidents.back().severity, job_failed ? Severity::warning : Severity::error);
  }
}

TEST(Survival, LowersWhatTheJobSurvivedToAWarning) {
  FindingLog log;
  log.add(log.rule("x/cause"));
  log.ends_well();
  auto diagnosis = log.diagnose();
  EXPECT_EQ(diagnosis.outcome, Outcome::warning);
  ASSERT_THAT(diagnosis.incidents, SizeIs(1));
  EXPECT_EQ(diagnosis.incidents[0].severity, Severity::warning);
}

TEST(Survival, DoesNotLowerKernelFaultsOrSanitizerReports) {
  for (std::string_view kind : {"kernel.xid", "sanitizer.report"}) {
    FindingLog log;
    log.add(log.rule("x/fault")).kind = kind;
    log.ends_well();
    EXPECT_EQ(log.diagnose().outcome, Outcome::failure) << kind;
  }
}

TEST(Survival, AGenericExceptionThatManyLinesFollowIsAWarning) {
  for (std::uint64_t more : {kLinesThatShowSurvival, kLinesThatShowSurvival + 1}) {
    FindingLog log;
    log.add(log.rule("x/exception"), Role::generic);
    log.more_lines_ = more;
    EXPECT_EQ(log.diagnose().outcome, more > kLinesThatShowSurvival ? Outcome::warning : Outcome::failure);
  }
}

TEST(Survival, AGenericExceptionBehindWhichTheLogEndsInProgressIsAWarning) {
  for (std::uint64_t since : {0u, 2u}) {
    FindingLog log;
    log.add(log.rule("x/exception"), Role::generic);
    log.inputs().push_back({.lines = 60, .steady_since = since});
    EXPECT_EQ(log.diagnose().outcome, since > 0 ? Outcome::warning : Outcome::failure);
  }
}

TEST(Survival, ALostPeerAfterTheJobHasEndedWellIsAWarning) {
  for (const bool another_fails : {false, true}) {
    FindingLog log;
    log.ends_well();
    log.add(log.rule("x/peer-closed"), Role::effect);
    if (another_fails) log.add(log.rule("x/rank-failed"), Role::banner);
    EXPECT_EQ(log.diagnose().outcome, another_fails ? Outcome::failure : Outcome::warning);
  }
}

TEST(Survival, ALostPeerBeforeAnotherRankEndsWellStaysAFailureWhenTheJobEndsBadly) {
  FindingLog log;
  log.ends_well();
  log.add(log.rule("x/peer-closed"), Role::effect);
  log.tells("exit_code", "1");
  EXPECT_EQ(log.diagnose().outcome, Outcome::failure);
}

}  // namespace
}  // namespace cutopsy
