// What comes first, and what comes too late to be a cause.
#include "engine/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/explain/causality.h"
#include "tests/unit/finding_log.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(Timeline, AFaultOfTheDayBeforeExplainsNothing) {
  for (double seconds : {1000.0 + 3600, 1000.0 + 2 * 86400}) {
    FindingLog log;
    const Rule* effect = log.rule("x/effect");
    const Rule* cause = log.rule("x/cause", {{"x/effect"}});
    log.add(cause).envelope.seconds = 1000;
    log.add(effect).envelope.seconds = seconds;
    EXPECT_THAT(log.diagnose().incidents, SizeIs(seconds < 86400 ? 1 : 2)) << seconds;
  }
}

// The fault of another day is told beside what failed, not as a failure of this job.
TEST(Timeline, AnUntimedFindingStandsWhereItsNeighboursDo) {
  FindingLog log;
  log.add(log.rule("x/first")).envelope.seconds = 1000;
  log.add(log.rule("x/traceback"));
  log.add(log.rule("x/last")).envelope.seconds = 2000;
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/first", "x/traceback", "x/last"));
}

TEST(Timeline, WhatAJobsLogWithoutClocksSaysGoesBeforeATimedKernelLog) {
  for (const std::uint32_t job : {0, 1}) {
    FindingLog log;
    log.inputs() = {{.lines = 9}, {.lines = 9}};
    Finding& kernel = log.add(log.rule("x/kernel"));
    kernel.where.input = 1 - job;
    kernel.envelope.seconds = 1000;
    log.add(log.rule("x/job")).where.input = job;
    EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/job", "x/kernel"));
  }
}

TEST(Timeline, AnUntimedFindingOfATimedInputIsPlacedByItsLine) {
  FindingLog log;
  log.inputs() = {{.lines = 100, .first_seconds = 1000, .last_seconds = 2000}, {.lines = 9}};
  Finding& other = log.add(log.rule("x/other"));
  other.where.input = 1;
  other.envelope.seconds = 1500;
  Finding& traceback = log.add(log.rule("x/traceback"));
  traceback.where.line = 90;
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/other", "x/traceback"));
  traceback.where.line = 10;
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/traceback", "x/other"));
}

TEST(Timeline, ACauseDoesNotComeAfterItsEffect) {
  for (double lead : {-100.0, 4000.0}) {
    FindingLog log;
    const Rule* effect = log.rule("x/effect");
    const Rule* cause = log.rule("x/cause", {{"x/effect"}});
    log.add(effect).envelope.seconds = 10000;
    log.add(cause).envelope.seconds = 10000 + lead;
    EXPECT_THAT(log.diagnose().incidents, SizeIs(lead < 0 ? 1 : 2)) << lead;
  }
}

TEST(Timeline, ACauseDoesNotStandFarBehindItsEffectInALogWithoutClocks) {
  for (const std::uint64_t lines : {kLinesThatAnEffectRunsAhead, kLinesThatAnEffectRunsAhead + 1}) {
    FindingLog log;
    const Rule* effect = log.rule("x/effect");
    log.add(effect);
    Finding& cause = log.add(log.rule("x/cause", {{"x/effect"}}));
    cause.where.line = cause.last.line = 1 + lines;
    EXPECT_THAT(log.diagnose().incidents, SizeIs(lines == kLinesThatAnEffectRunsAhead ? 1 : 2));
    cause.envelope.kernel = true;  // dmesg's output behind the job's
    EXPECT_THAT(log.diagnose().incidents, SizeIs(1));
  }
}

TEST(Timeline, AMachinesFaultLongBeforeTheJobExplainsNothingAndComesLast) {
  FindingLog log;
  log.inputs() = {{.lines = 9, .first_seconds = 1e6, .last_seconds = 1e6 + 60},
                  {.lines = 9, .first_seconds = 1, .last_seconds = 1e6, .kernel_clock = true}};
  Finding& kernel = log.add(log.rule("x/xid", {{"x/*"}}));
  kernel.where.input = 1;
  kernel.kind = "kernel.xid";
  kernel.envelope.kernel = kernel.envelope.zone_known = true;
  kernel.envelope.seconds = 1e6 - 2 * 86400;
  log.add(log.rule("x/job"));
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/job", "x/xid"));
  kernel.envelope.seconds = 1e6 - 3600;
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/xid"));
}

}  // namespace
}  // namespace cutopsy
