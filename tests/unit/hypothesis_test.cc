#include "engine/confirm/hypothesis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutopsy {
namespace {

using testing::HasSubstr;

constexpr SameMachine kHere{SameMachine::Is::yes, false, ""};
constexpr SameMachine kPerhapsHere{SameMachine::Is::unknown, false, ""};

Tested state(CheckAnswer answer) {
  return {.check = "driver-runtime", .answer = answer, .is_state = true, .check_class = "state", .detail = "seen"};
}

Tested passing(CheckAnswer answer, const char* check_class) {
  return {.check = "alloc-probe", .answer = answer, .check_class = check_class, .detail = "measured"};
}

Tested against(Tested tested) {
  tested.supports = false;
  return tested;
}

Tested without_a_chance() {
  return {.check = "memory-pattern", .could_not_run = true, .detail = "no GPU"};
}

TEST(Hypothesis, IsNotRunWithoutChecks) {
  EXPECT_EQ(judge({}, kHere).verdict, Verdict::not_run);
}

TEST(Hypothesis, IsNotRunWhenNoCheckCouldRun) {
  const Hypothesis hypothesis = judge({without_a_chance()}, kHere);
  EXPECT_EQ(hypothesis.verdict, Verdict::not_run);
  EXPECT_THAT(hypothesis.reason, HasSubstr("no GPU"));
}

TEST(Hypothesis, IsConfirmedByAYes) {
  EXPECT_EQ(judge({state(CheckAnswer::yes)}, kHere).verdict, Verdict::confirmed);
  EXPECT_EQ(judge({passing(CheckAnswer::yes, "transient")}, kHere).verdict, Verdict::confirmed);
  EXPECT_EQ(judge({state(CheckAnswer::yes)}, kPerhapsHere).verdict, Verdict::confirmed);
}

TEST(Hypothesis, IsConfirmedByOneYesAmongOtherAnswers) {
  EXPECT_EQ(judge({state(CheckAnswer::no), passing(CheckAnswer::yes, "stochastic")}, kHere).verdict,
            Verdict::confirmed);
}

TEST(Hypothesis, IsRefutedByTheNoOfAState) {
  EXPECT_EQ(judge({state(CheckAnswer::no)}, kHere).verdict, Verdict::refuted);
}

TEST(Hypothesis, IsNeverRefutedByTheNoOfWhatPasses) {
  for (const char* check_class : {"transient", "stochastic"}) {
    EXPECT_EQ(judge({passing(CheckAnswer::no, check_class)}, kHere).verdict, Verdict::inconclusive) << check_class;
    EXPECT_EQ(judge({state(CheckAnswer::no), passing(CheckAnswer::no, check_class)}, kHere).verdict,
              Verdict::inconclusive)
        << check_class;
  }
}

TEST(Hypothesis, IsNotRefutedOnAMachineThatMayBeAnother) {
  const Hypothesis hypothesis = judge({state(CheckAnswer::no)}, kPerhapsHere);
  EXPECT_EQ(hypothesis.verdict, Verdict::inconclusive);
  EXPECT_THAT(hypothesis.reason, HasSubstr("nothing in the log shows"));
}

TEST(Hypothesis, IsNotRefutedByACheckThatWasAskedWithoutWhatTheLogShouldTell) {
  Tested blind = state(CheckAnswer::no);
  blind.lacks = "version";
  const Hypothesis hypothesis = judge({blind}, kHere);
  EXPECT_EQ(hypothesis.verdict, Verdict::inconclusive);
  EXPECT_THAT(hypothesis.reason, HasSubstr("version"));
  blind.answer = CheckAnswer::yes;
  EXPECT_EQ(judge({blind}, kHere).verdict, Verdict::confirmed);
}

TEST(Hypothesis, IsNotRefutedAfterARestart) {
  EXPECT_EQ(judge({state(CheckAnswer::no)}, {SameMachine::Is::yes, true, ""}).verdict, Verdict::inconclusive);
}

TEST(Hypothesis, IsNotRefutedWhileAnotherOfItsChecksIsUnknown) {
  EXPECT_EQ(judge({state(CheckAnswer::no), state(CheckAnswer::unknown)}, kHere).verdict, Verdict::inconclusive);
}

TEST(Hypothesis, IsInconclusiveOnAnotherMachineWhateverTheAnswers) {
  for (CheckAnswer answer : {CheckAnswer::yes, CheckAnswer::no, CheckAnswer::unknown}) {
    const Hypothesis hypothesis = judge({state(answer)}, {SameMachine::Is::no, false, "host node8"});
    EXPECT_EQ(hypothesis.verdict, Verdict::inconclusive);
    EXPECT_THAT(hypothesis.reason, HasSubstr("host node8"));
  }
}

TEST(Hypothesis, IsRefutedByAContradictingFault) {
  EXPECT_EQ(judge({against(state(CheckAnswer::yes))}, kHere).verdict, Verdict::refuted);
  EXPECT_EQ(judge({against(passing(CheckAnswer::yes, "transient"))}, kHere).verdict, Verdict::inconclusive);
}

TEST(Hypothesis, IsInconclusiveWhenFaultsSpeakForAndAgainst) {
  EXPECT_EQ(judge({state(CheckAnswer::yes), against(state(CheckAnswer::yes))}, kHere).verdict, Verdict::inconclusive);
}

TEST(Hypothesis, IsNotConfirmedByTheAbsenceOfAContradiction) {
  EXPECT_EQ(judge({against(state(CheckAnswer::no))}, kHere).verdict, Verdict::inconclusive);
}

}  // namespace
}  // namespace cutopsy
