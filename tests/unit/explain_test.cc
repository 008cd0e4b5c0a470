#include "engine/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/explain/causality.h"
#include "tests/unit/finding_log.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Explain, TakesACauseForTheRootOfEffectsAndBannersThatCameBefore) {
  FindingLog log;
  log.add(log.rule("x/banner"), Role::banner);
  log.add(log.rule("x/effect"), Role::effect);
  log.add(log.rule("x/cause"));
  auto diagnosis = log.diagnose();
  EXPECT_THAT(rules_of(diagnosis), ElementsAre("x/cause"));
  EXPECT_THAT(diagnosis.incidents[0].symptoms, SizeIs(2));
  EXPECT_EQ(diagnosis.outcome, Outcome::failure);
}

TEST(Explain, FollowsExplainsThroughAChain) {
  FindingLog log;
  const Rule* last = log.rule("x/last");
  const Rule* middle = log.rule("x/middle", {{"x/last"}});
  const Rule* first = log.rule("y/first", {{"x/mid*"}});
  log.add(last);
  log.add(first);
  log.add(middle);
  auto diagnosis = log.diagnose();
  EXPECT_THAT(rules_of(diagnosis), ElementsAre("y/first"));
  ASSERT_THAT(diagnosis.incidents[0].because, SizeIs(2));
  EXPECT_EQ(diagnosis.incidents[0].because[0].explains, "x/middle");
  EXPECT_EQ(diagnosis.incidents[0].because[1].explains, "x/last");
}

TEST(Explain, OfTwoThatWouldExplainEachOtherTheHigherRoleIsTheRoot) {
  FindingLog log;
  log.add(log.rule("x/mild", {{"x/grave"}}), Role::effect);
  log.add(log.rule("x/grave", {{"x/mild"}}));
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/grave"));
}

TEST(Explain, KeepsIndependentCausesApart) {
  FindingLog log;
  log.add(log.rule("x/one"));
  log.add(log.rule("x/two"));
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/one", "x/two"));
}

TEST(Explain, HoldsARelationOnlyWithinItsScope) {
  for (std::string_view other : {"7", "8"}) {
    FindingLog log;
    const Rule* effect = log.rule("x/effect");
    const Rule* cause = log.rule("x/cause", {{"x/effect", Scope::pid}});
    log.add(cause).fields.set("pid", "7");
    log.add(effect).fields.set("pid", other);
    EXPECT_THAT(log.diagnose().incidents, SizeIs(other == "7" ? 1 : 2)) << other;
  }
}

TEST(Explain, AFaultOfAGpuExplainsTheErrorsOfTheRankOnIt) {
  FindingLog log;
  const Rule* error = log.rule("x/cuda-error");
  const Rule* xid = log.rule("x/xid", {{"x/cuda-error", Scope::gpu}});
  log.tells("comm_gpu", "0 of 2 at 0000:18:00.0");
  log.tells("comm_gpu", "1 of 2 at 0000:3b:00.0");
  log.add(xid).fields.set("gpu_pci", "0000:3b:00.0");
  Finding& finding = log.add(error);
  finding.envelope.rank = "1";
  finding.ranks = {"1"};
  const auto diagnosis = log.diagnose();
  ASSERT_THAT(rules_of(diagnosis), ElementsAre("x/xid"));
  EXPECT_THAT(diagnosis.incidents[0].ranks, ElementsAre("1"));
  EXPECT_EQ(diagnosis.incidents[0].envelope.rank, "1");
  finding.envelope.rank = "0";
  EXPECT_THAT(log.diagnose().incidents, SizeIs(2));
  finding.envelope.rank = "7";  // of which the log tells no GPU
  EXPECT_THAT(log.diagnose().incidents, SizeIs(1));
}

TEST(Explain, NamesTheRanksOfAllGpusThatHadTheFault) {
  FindingLog log;
  const Rule* xid = log.rule("x/xid");
  log.tells("comm_gpu", "0 of 3 at 0000:18:00.0");
  log.tells("comm_gpu", "1 of 3 at 0000:3b:00.0");
  log.tells("comm_gpu", "2 of 3 at 0000:86:00.0");
  for (const char* address : {"0000:86:00.0", "0000:18:00.0"}) log.add(xid).fields.set("gpu_pci", address);
  const auto diagnosis = log.diagnose();
  EXPECT_THAT(diagnosis.incidents[0].ranks, ElementsAre("0", "2"));
  EXPECT_EQ(diagnosis.incidents[0].envelope.rank, "2");
}

TEST(Explain, AnEffectAloneIsTheAnswerButLessSure) {
  FindingLog log;
  log.add(log.rule("x/effect"), Role::effect);
  auto diagnosis = log.diagnose();
  ASSERT_THAT(rules_of(diagnosis), ElementsAre("x/effect"));
  EXPECT_LT(diagnosis.incidents[0].confidence, 0.6);
}

TEST(Explain, AWarningDoesNotExplainAFailure) {
  FindingLog log;
  log.add(log.rule("x/hint")).severity = Severity::warning;
  log.add(log.rule("x/exception"), Role::generic);
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/exception", "x/hint"));
}

TEST(Explain, AbsorbsAnExceptionIntoWhatItsMessageSays) {
  FindingLog log;
  Finding& generic = log.add(log.rule("x/exception"), Role::generic);
  Finding& cause = log.add(log.rule("x/cause"));
  generic.record = cause.record = 1;
  generic.fields.set("python_type", "RuntimeError");
  auto diagnosis = log.diagnose();
  ASSERT_THAT(rules_of(diagnosis), ElementsAre("x/cause"));
  EXPECT_THAT(diagnosis.incidents[0].symptoms, IsEmpty());
  EXPECT_EQ(diagnosis.incidents[0].fields.get("python_type"), "RuntimeError");
}

TEST(Explain, FollowsAnExceptionChain) {
  FindingLog log;
  log.add(log.rule("x/first"));
  log.add(log.rule("x/second")).because = {0, 1};
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/first"));
}

TEST(Explain, FoldsOneRuleOnSeveralRanks) {
  FindingLog log;
  const Rule* rule = log.rule("x/cause");
  for (const char* rank : {"10", "2"}) log.add(rule).ranks = {rank};
  auto diagnosis = log.diagnose();
  ASSERT_THAT(diagnosis.incidents, SizeIs(1));
  EXPECT_EQ(diagnosis.incidents[0].count, 2u);
  EXPECT_THAT(diagnosis.incidents[0].ranks, ElementsAre("2", "10"));
}

TEST(Explain, LeavesOutWhatIsQuotedClearedOrOnlyInformation) {
  FindingLog log;
  log.add(log.rule("x/quoted")).quoted = true;
  log.add(log.rule("x/cleared")).cleared = true;
  log.add(log.rule("x/info"), Role::info);
  EXPECT_EQ(log.diagnose().outcome, Outcome::clean);
}

TEST(Explain, CapsTheSeverityOfAProgramsOwnWarnings) {
  FindingLog log;
  log.add(log.rule("x/cause")).envelope.level = "warning";
  EXPECT_EQ(log.diagnose().outcome, Outcome::warning);
}

TEST(Explain, ReportsAFailureThatNoRuleKnowsWithItsNumbersMasked) {
  FindingLog log;
  for (const char* name : {"cudaErrorNew 123", "cudaErrorNew 456"}) {
    Finding& finding = log.add(nullptr, Role::generic);
    finding.kind = "cuda.status";
    finding.fields.set("name", name);
  }
  auto diagnosis = log.diagnose();
  EXPECT_THAT(diagnosis.incidents, IsEmpty());
  ASSERT_THAT(diagnosis.unknown, SizeIs(1));
  EXPECT_EQ(diagnosis.unknown[0].signature, "cuda.status: cudaErrorNew #");
  EXPECT_EQ(diagnosis.outcome, Outcome::failure);
}

TEST(Explain, AProgramsWarningLeadsToTheFailureThatFollowsIt) {
  for (std::uint64_t lines : {kLinesThatAWarningReaches, kLinesThatAWarningReaches + 1}) {
    FindingLog log;
    log.add(log.rule("x/driver-too-old")).envelope.level = "warning";
    log.add(log.rule("x/exception"), Role::generic).where.line = 1 + lines;
    EXPECT_EQ(rules_of(log.diagnose()).front(), lines > kLinesThatAWarningReaches ? "x/exception" : "x/driver-too-old");
  }
}

TEST(Explain, AWarningThatIsRepeatedLaterStillLeadsToTheFailureBetween) {
  FindingLog log;
  Finding& warning = log.add(log.rule("x/driver-too-old"));
  warning.envelope.level = "warning";
  warning.last = {0, 90};
  log.add(log.rule("x/exception"), Role::generic).where.line = 50;
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/driver-too-old"));
}

TEST(Explain, MeasuresHowLongAFaultWasRepeated) {
  FindingLog log;
  const Rule* rule = log.rule("x/xid-74");
  Finding& one = log.add(rule);
  one.first_at = {1000, true};
  one.last_at = {1050, true};
  Finding& other = log.add(rule);
  other.first_at = {1010, true};
  other.last_at = {1062, true};
  EXPECT_EQ(log.diagnose().incidents[0].repeats_lasted, 62);
  other.last_at = {1.7e9, false};
  EXPECT_EQ(log.diagnose().incidents[0].repeats_lasted, std::nullopt);
  other.first_at = other.last_at = {};
  EXPECT_EQ(log.diagnose().incidents[0].repeats_lasted, std::nullopt);
}

TEST(Explain, HoldsARelationOnlyUnderItsConditions) {
  for (const char* code : {"-9", "1"}) {
    FindingLog log;
    const std::vector<Predicate> killed = {
        {.field = "exitcode", .op = Predicate::Op::equal, .text = "-9", .values = {}, .literals = {}}};
    const Rule* effect = log.rule("x/rank-failed");
    const Rule* cause = log.rule("x/oom-kill", {{"x/rank-failed", Scope::any, killed}});
    log.add(cause);
    log.add(effect).fields.set("exitcode", code);
    EXPECT_THAT(log.diagnose().incidents, SizeIs(code[0] == '-' ? 1 : 2)) << code;
  }
}

TEST(Explain, ReachesRulesByTheirTags) {
  FindingLog log;
  static constexpr std::string_view kTags[] = {"peer-lost"};
  Rule tagged;
  tagged.id = tagged.title = "x/closed";
  tagged.tags = kTags;
  log.add(&tagged);
  log.add(log.rule("x/host-down", {{"tag:peer-lost"}}));
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/host-down"));
}

TEST(Explain, TakesTheFirstOfPeersForTheCauseOfTheirEchoes) {
  static constexpr std::string_view kTags[] = {"link"};
  static constexpr Relation kPeers[] = {{"tag:link"}};
  Rule one;
  one.id = one.title = "x/one";
  one.tags = kTags;
  one.explains = kPeers;
  Rule two = one;
  two.id = two.title = "x/two";
  FindingLog log;
  log.add(&two);
  log.add(&one);
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/two"));
}

TEST(Explain, FollowsThePreviousXidThatTheDriverNames) {
  FindingLog log;
  Finding& teardown = log.add(log.rule("x/xid-45"));
  Finding& other_gpu = log.add(log.rule("x/xid-31"));
  Finding& previous = log.add(log.rule("x/xid-149"));
  for (Finding* finding : {&teardown, &other_gpu, &previous}) finding->kind = "kernel.xid";
  teardown.fields.set("caused_by", "149");
  teardown.fields.set("gpu_pci", "0000:18:00.0");
  previous.fields.set("xid", "149");
  previous.fields.set("gpu_pci", "0000:18:00.0");
  other_gpu.fields.set("xid", "31");
  other_gpu.fields.set("gpu_pci", "0000:3b:00.0");
  auto diagnosis = log.diagnose();
  EXPECT_THAT(rules_of(diagnosis), ElementsAre("x/xid-149", "x/xid-31"));
  ASSERT_THAT(diagnosis.incidents[0].because, SizeIs(1));
  EXPECT_EQ(diagnosis.incidents[0].because[0].basis, Basis::log);
}

TEST(Explain, NamesTheRankThatTheMessageNamesWhereNoLineIsLabelled) {
  FindingLog log;
  Finding& root = log.add(log.rule("x/cause"));
  root.fields.set("rank", "3");
  EXPECT_THAT(log.diagnose().incidents[0].ranks, ElementsAre("3"));
  root.fields.set("rank", "none of them");
  EXPECT_THAT(log.diagnose().incidents[0].ranks, IsEmpty());
  root.fields.set("rank", "3");
  root.ranks = {"5"};
  EXPECT_THAT(log.diagnose().incidents[0].ranks, ElementsAre("5"));
}

TEST(Explain, NamesTheRankThatAnotherFindingOfItsLineKnows) {
  FindingLog log;
  log.add(log.rule("x/cause"));
  Finding& exception = log.add(log.rule("x/exception"), Role::generic);
  exception.where.line = 1;
  exception.ranks = {"4"};
  const auto diagnosis = log.diagnose();
  ASSERT_THAT(rules_of(diagnosis), ElementsAre("x/cause"));
  EXPECT_THAT(diagnosis.incidents[0].ranks, ElementsAre("4"));
  EXPECT_EQ(diagnosis.incidents[0].envelope.rank, "4");
}

TEST(Explain, DoesNotTakeAConsequencesRankForItsOwn) {
  FindingLog log;
  log.add(log.rule("x/cause")).envelope.rank = "5";
  log.add(log.rule("x/timeout"), Role::effect).fields.set("rank", "0");
  EXPECT_EQ(log.diagnose().incidents[0].fields.get("rank"), "5");
}

TEST(Explain, AnIncidentStandsWhereItsRuleFirstShows) {
  FindingLog log;
  const Rule* rule = log.rule("x/cause", {{"x/effect", Scope::gpu}});
  log.add(rule).fields.set("gpu_pci", "0000:18:00.0");
  log.add(rule).fields.set("gpu_pci", "0000:3b:00.0");
  log.add(log.rule("x/effect")).fields.set("gpu_pci", "0000:3b:00.0");
  EXPECT_EQ(log.diagnose().incidents[0].where.line, 1u);
}

TEST(Explain, NamesTheRanksThatOnlyWaited) {
  FindingLog log;
  Finding& root = log.add(log.rule("x/cause"));
  root.envelope.rank = "3";
  root.ranks = {"3"};
  log.add(log.rule("x/timeout"), Role::effect).ranks = {"2", "0", "3"};
  auto diagnosis = log.diagnose();
  EXPECT_THAT(diagnosis.incidents[0].ranks, ElementsAre("3"));
  EXPECT_THAT(diagnosis.incidents[0].waiting_ranks, ElementsAre("0", "2"));
}

TEST(Explain, TakesWhatTheRulesInformationSaysForTheIncidentsFields) {
  FindingLog log;
  const Rule* rule = log.rule("x/nouveau");
  log.add(rule);
  log.add(rule, Role::info).fields.set("kernel", "6.1.0-18-amd64");
  EXPECT_EQ(log.diagnose().incidents[0].fields.get("kernel"), "6.1.0-18-amd64");
}

TEST(Explain, IsLessSureOfACauseThatOthersLeadToOrStandBeside) {
  FindingLog alone;
  alone.add(alone.rule("x/one"));
  const double sure = alone.diagnose().incidents[0].confidence;

  FindingLog listed;
  Rule named;
  named.id = named.title = "x/one";
  named.causes_above = 1;
  listed.add(&named);
  EXPECT_LT(listed.diagnose().incidents[0].confidence, sure);

  FindingLog beside;
  beside.add(beside.rule("x/one"));
  beside.add(beside.rule("x/two"));
  auto diagnosis = beside.diagnose();
  EXPECT_LT(diagnosis.incidents[0].confidence, sure);
  EXPECT_LT(diagnosis.incidents[1].confidence, diagnosis.incidents[0].confidence);
  ASSERT_THAT(diagnosis.incidents[0].alternatives, SizeIs(1));
  EXPECT_EQ(diagnosis.incidents[0].alternatives[0].rule, "x/two");

  FindingLog explaining;
  explaining.add(explaining.rule("x/one", {{"x/two"}}));
  explaining.add(explaining.rule("x/two"));
  EXPECT_GT(explaining.diagnose().incidents[0].confidence, sure);
}

TEST(Explain, IsAsSevereAsTheWorstPlaceOfItsFault) {
  FindingLog log;
  const Rule* rule = log.rule("x/cause", {{"x/effect"}});
  log.add(rule).envelope.level = "warning";
  log.add(log.rule("x/effect", {{"x/cause"}}));
  log.add(rule);
  EXPECT_EQ(log.diagnose().outcome, Outcome::failure);
}

TEST(Explain, AnEndingThatAnotherCauseCanHaveIsAnAlternativeToAnUnknownException) {
  static const Signature kSignatures[] = {{}};
  FindingLog log;
  Rule killed;
  killed.id = killed.title = "x/killed";
  log.add(log.rule("x/exception"), Role::generic);
  log.add(&killed, Role::banner);
  EXPECT_THAT(log.diagnose().incidents[0].alternatives, IsEmpty());
  killed.signatures = kSignatures;
  const auto diagnosis = log.diagnose();
  ASSERT_THAT(diagnosis.incidents[0].alternatives, SizeIs(1));
  EXPECT_EQ(diagnosis.incidents[0].alternatives[0].rule, "x/killed");
}

TEST(Explain, KeepsEveryFindingOfACircle) {
  FindingLog log;
  log.add(log.rule("x/a", {{"x/b"}}));
  log.add(log.rule("x/b", {{"x/c"}}));
  log.add(log.rule("x/c", {{"x/a"}}));
  log.add(log.rule("x/alone"));
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/alone", "x/a"));
}

TEST(Explain, SurvivesRulesThatExplainEachOther) {
  FindingLog log;
  const Rule* one = log.rule("x/one", {{"x/two"}});
  const Rule* two = log.rule("x/two", {{"x/one"}});
  log.add(one);
  log.add(two);
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/one"));
}

TEST(Explain, DoesNotDependOnTheOrderOfInputs) {
  auto diagnose = [](std::uint32_t first, std::uint32_t second) {
    FindingLog log;
    const Rule* one = log.rule("x/one");
    const Rule* two = log.rule("x/two");
    log.add(one).where.input = first;
    log.add(two).where.input = second;
    return rules_of(log.diagnose());
  };
  EXPECT_EQ(diagnose(0, 1), diagnose(1, 0));
}

TEST(Explain, ComparesSoManyFindingsAndKeepsTheFirstOfEachRule) {
  FindingLog log;
  const Rule* noisy = log.rule("x/noisy");
  for (std::size_t i = 0; i < kMaxNodes; ++i) log.add(noisy);
  EXPECT_EQ(log.diagnose().findings_not_compared, 0u);
  log.add(log.rule("x/effect"), Role::effect);
  log.add(log.rule("y/cause", {{"x/*"}}));
  const auto diagnosis = log.diagnose();
  EXPECT_EQ(diagnosis.findings_not_compared, 2u);
  EXPECT_THAT(rules_of(diagnosis), ElementsAre("y/cause"));
  EXPECT_EQ(diagnosis.incidents[0].symptoms[0].count + diagnosis.incidents[0].symptoms[1].count, kMaxNodes + 1);
}

TEST(Explain, CountsAndNamesTheRanksOfFindingsThatItDoesNotCompare) {
  FindingLog log;
  const Rule* rule = log.rule("x/noisy");
  for (std::size_t i = 0; i < kMaxNodes + 3; ++i) log.add(rule).ranks = {std::to_string(i % 7)};
  log.add(rule).ranks = {"99"};
  const auto diagnosis = log.diagnose();
  EXPECT_EQ(diagnosis.findings_not_compared, 4u);
  EXPECT_EQ(diagnosis.incidents[0].count, kMaxNodes + 4);
  EXPECT_EQ(diagnosis.incidents[0].ranks.back(), "99");
}

TEST(Explain, WhatTheRootsRuleExplainsIsNoAlternativeToIt) {
  for (const bool explains : {false, true}) {
    FindingLog log;
    const Rule* vague = log.rule("x/vague");
    const Rule* exact = explains ? log.rule("x/exact", {{"x/vague"}}) : log.rule("x/exact");
    log.add(exact);
    for (int i = 0; i < 2; ++i) {
      Finding& same_line = log.add(vague);
      same_line.where.line = 1;
      same_line.severity = Severity::error;
    }
    const auto diagnosis = log.diagnose();
    EXPECT_THAT(diagnosis.incidents[0].alternatives, SizeIs(explains ? 0 : 1));
  }
}

}  // namespace
}  // namespace cutopsy
