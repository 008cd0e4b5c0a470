#include "engine/explain/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "engine/explain/survival.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Builds findings of made-up rules, each on a line of its own.
class Log {
 public:
  const Rule* rule(std::string id, std::vector<Relation> explains = {}) {
    relations_.push_back(std::move(explains));
    Rule& rule = rules_.emplace_back();
    rule.id = rule.title = ids_.emplace_back(std::move(id));
    rule.explains = relations_.back();
    return &rule;
  }

  Finding& add(const Rule* rule, Role role = Role::cause) {
    Finding& finding = findings_.emplace_back();
    finding.rule = rule;
    finding.role = role;
    finding.kind = "line";
    finding.where = finding.begin = finding.last = {0, ++line_};
    finding.text = rule ? std::string(rule->id) : "something failed";
    return finding;
  }

  void ends_well() { facts_.push_back({"outcome", "ok", {}, {0, ++line_}}); }

  Diagnosis diagnose() const {
    std::vector<Finding> findings(findings_.begin(), findings_.end());
    std::array<std::uint64_t, 1> lines = {line_ + more_lines_};
    return explain(findings, facts_, lines);
  }

  std::uint64_t more_lines_ = 0;

 private:
  std::deque<std::string> ids_;
  std::deque<Rule> rules_;
  std::deque<std::vector<Relation>> relations_;
  std::deque<Finding> findings_;
  std::vector<Fact> facts_;
  std::uint64_t line_ = 0;
};

std::vector<std::string> rules_of(const Diagnosis& diagnosis) {
  std::vector<std::string> rules;
  for (const Incident& incident : diagnosis.incidents) rules.push_back(incident.rule);
  return rules;
}

TEST(Explain, TakesACauseForTheRootOfEffectsAndBannersThatCameBefore) {
  Log log;
  log.add(log.rule("x/banner"), Role::banner);
  log.add(log.rule("x/effect"), Role::effect);
  log.add(log.rule("x/cause"));
  auto diagnosis = log.diagnose();
  EXPECT_THAT(rules_of(diagnosis), ElementsAre("x/cause"));
  EXPECT_THAT(diagnosis.incidents[0].symptoms, SizeIs(2));
  EXPECT_EQ(diagnosis.outcome, Outcome::failure);
}

TEST(Explain, FollowsExplainsThroughAChain) {
  Log log;
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

TEST(Explain, KeepsIndependentCausesApart) {
  Log log;
  log.add(log.rule("x/one"));
  log.add(log.rule("x/two"));
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/one", "x/two"));
}

TEST(Explain, HoldsARelationOnlyWithinItsScope) {
  for (std::string_view other : {"7", "8"}) {
    Log log;
    const Rule* effect = log.rule("x/effect");
    const Rule* cause = log.rule("x/cause", {{"x/effect", Scope::pid}});
    log.add(cause).fields.set("pid", "7");
    log.add(effect).fields.set("pid", other);
    EXPECT_THAT(log.diagnose().incidents, SizeIs(other == "7" ? 1 : 2)) << other;
  }
}

TEST(Explain, AFaultOfTheDayBeforeExplainsNothing) {
  for (double seconds : {1000.0 + 3600, 1000.0 + 2 * 86400}) {
    Log log;
    const Rule* effect = log.rule("x/effect");
    const Rule* cause = log.rule("x/cause", {{"x/effect"}});
    log.add(cause).envelope.seconds = 1000;
    log.add(effect).envelope.seconds = seconds;
    EXPECT_THAT(log.diagnose().incidents, SizeIs(seconds < 86400 ? 1 : 2)) << seconds;
  }
}

TEST(Explain, AnEffectAloneIsTheAnswerButLessSure) {
  Log log;
  log.add(log.rule("x/effect"), Role::effect);
  auto diagnosis = log.diagnose();
  ASSERT_THAT(rules_of(diagnosis), ElementsAre("x/effect"));
  EXPECT_LT(diagnosis.incidents[0].confidence, 0.6);
}

TEST(Explain, AWarningDoesNotExplainAFailure) {
  Log log;
  log.add(log.rule("x/hint")).severity = Severity::warning;
  log.add(log.rule("x/exception"), Role::generic);
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/exception", "x/hint"));
}

TEST(Explain, AbsorbsAnExceptionIntoWhatItsMessageSays) {
  Log log;
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
  Log log;
  log.add(log.rule("x/first"));
  log.add(log.rule("x/second")).because = {0, 1};
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/first"));
}

TEST(Explain, FoldsOneRuleOnSeveralRanks) {
  Log log;
  const Rule* rule = log.rule("x/cause");
  for (const char* rank : {"10", "2"}) log.add(rule).ranks = {rank};
  auto diagnosis = log.diagnose();
  ASSERT_THAT(diagnosis.incidents, SizeIs(1));
  EXPECT_EQ(diagnosis.incidents[0].count, 2u);
  EXPECT_THAT(diagnosis.incidents[0].ranks, ElementsAre("2", "10"));
}

TEST(Explain, LowersWhatTheJobSurvivedToAWarning) {
  Log log;
  log.add(log.rule("x/cause"));
  log.ends_well();
  auto diagnosis = log.diagnose();
  EXPECT_EQ(diagnosis.outcome, Outcome::warning);
  ASSERT_THAT(diagnosis.incidents, SizeIs(1));
  EXPECT_EQ(diagnosis.incidents[0].severity, Severity::warning);
}

TEST(Explain, DoesNotLowerKernelFaultsOrSanitizerReports) {
  for (std::string_view kind : {"kernel.xid", "sanitizer.report"}) {
    Log log;
    log.add(log.rule("x/fault")).kind = kind;
    log.ends_well();
    EXPECT_EQ(log.diagnose().outcome, Outcome::failure) << kind;
  }
}

TEST(Explain, AGenericExceptionThatManyLinesFollowIsAWarning) {
  for (std::uint64_t more : {kLinesThatShowSurvival, kLinesThatShowSurvival + 1}) {
    Log log;
    log.add(log.rule("x/exception"), Role::generic);
    log.more_lines_ = more;
    EXPECT_EQ(log.diagnose().outcome, more > kLinesThatShowSurvival ? Outcome::warning : Outcome::failure);
  }
}

TEST(Explain, LeavesOutWhatIsQuotedClearedOrOnlyInformation) {
  Log log;
  log.add(log.rule("x/quoted")).quoted = true;
  log.add(log.rule("x/cleared")).cleared = true;
  log.add(log.rule("x/info"), Role::info);
  EXPECT_EQ(log.diagnose().outcome, Outcome::clean);
}

TEST(Explain, CapsTheSeverityOfAProgramsOwnWarnings) {
  Log log;
  log.add(log.rule("x/cause")).envelope.level = "warning";
  EXPECT_EQ(log.diagnose().outcome, Outcome::warning);
}

TEST(Explain, ReportsAFailureThatNoRuleKnowsWithItsNumbersMasked) {
  Log log;
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

TEST(Explain, SurvivesRulesThatExplainEachOther) {
  Log log;
  const Rule* one = log.rule("x/one", {{"x/two"}});
  const Rule* two = log.rule("x/two", {{"x/one"}});
  log.add(one);
  log.add(two);
  EXPECT_THAT(rules_of(log.diagnose()), ElementsAre("x/one"));
}

TEST(Explain, DoesNotDependOnTheOrderOfInputs) {
  auto diagnose = [](std::uint32_t first, std::uint32_t second) {
    Log log;
    const Rule* one = log.rule("x/one");
    const Rule* two = log.rule("x/two");
    log.add(one).where.input = first;
    log.add(two).where.input = second;
    return rules_of(log.diagnose());
  };
  EXPECT_EQ(diagnose(0, 1), diagnose(1, 0));
}

TEST(Explain, ComparesSoManyFindingsAndKeepsTheFirstOfEachRule) {
  Log log;
  const Rule* noisy = log.rule("x/noisy");
  for (std::size_t i = 0; i < kMaxNodes; ++i) log.add(noisy);
  EXPECT_EQ(log.diagnose().findings_not_compared, 0u);
  log.add(log.rule("x/effect"), Role::effect);
  log.add(log.rule("y/cause", {{"x/*"}}));
  const auto diagnosis = log.diagnose();
  EXPECT_EQ(diagnosis.findings_not_compared, 2u);
  EXPECT_THAT(rules_of(diagnosis), ElementsAre("y/cause"));
  EXPECT_EQ(diagnosis.incidents[0].symptoms[0].count + diagnosis.incidents[0].symptoms[1].count, kMaxNodes - 1);
}

TEST(Explain, ShowsTheFirstLinesLinksAndKindsOfConsequence) {
  constexpr std::size_t kLinesShown = 4;
  constexpr std::size_t kKindsShown = 16;
  for (std::size_t more : {0, 1}) {
    Log log;
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
