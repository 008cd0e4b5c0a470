#include "engine/match/matcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/rule/loader.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Feeds lines and events to the rules of one YAML text.
class Matching {
 public:
  explicit Matching(const std::string& match)
      : index_(load_rules_from_text("test.yaml", "- id: x/rule\n  title: t\n  severity: error\n  match: " + match +
                                                     "\n  cause: c\n  fix: [{do: f}]\n")
                   .rules),
        matcher_(index_, true) {}

  Matching& line(std::string_view text, Envelope envelope = {}) {
    Line line;
    line.text = text;
    line.envelope = envelope;
    line.where = {0, ++number_};
    matcher_.interest(line);
    matcher_.on_line(line);
    return *this;
  }

  Matching& event(std::string_view kind, std::vector<std::pair<std::string, std::string>> fields) {
    Event event;
    event.kind = kind;
    event.where = event.begin = {0, ++number_};
    for (const auto& [name, value] : fields) event.fields.set(name, value);
    matcher_.on_event(event);
    return *this;
  }

  Matching& fact(std::string_view name, std::string value, std::string rank) {
    Fact fact;
    fact.name = name;
    fact.value = std::move(value);
    fact.envelope.rank = std::move(rank);
    fact.where = {0, ++number_};
    matcher_.on_fact(std::move(fact));
    return *this;
  }

  MatchResult result() { return matcher_.finish(); }
  std::vector<Fact> facts() { return result().facts; }
  std::vector<Finding> findings() { return result().findings; }

 private:
  RuleIndex index_;
  Matcher matcher_;
  std::uint64_t number_ = 0;
};

TEST(Matcher, KeepsNamedGroupsOfALine) {
  auto findings = Matching("{ line: 'left_side (?P<value>\\d+)' }").line("x left_side 42 y").findings();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].fields.get("value"), "42");
  EXPECT_EQ(findings[0].where.line, 1u);
}

TEST(Matcher, AsksForEveryPredicateOfAnEvent) {
  const char* rule = "{ event: gpu.oom, where: { gpu: '^0$', foreign_share: {above: 0.3} } }";
  EXPECT_THAT(Matching(rule).event("gpu.oom", {{"gpu", "0"}, {"foreign_share", "0.31"}}).findings()[0].rule->id,
              "x/rule");
  EXPECT_EQ(Matching(rule).event("gpu.oom", {{"gpu", "0"}, {"foreign_share", "0.3"}}).findings()[0].rule, nullptr);
  EXPECT_EQ(Matching(rule).event("gpu.oom", {{"gpu", "1"}, {"foreign_share", "0.9"}}).findings()[0].rule, nullptr);
  EXPECT_EQ(Matching(rule).event("gpu.oom", {{"gpu", "0"}}).findings()[0].rule, nullptr);
}

TEST(Matcher, CountsALineForAllThatItStandsFor) {
  Envelope folded;
  folded.repeats = 7;
  auto findings = Matching("{ line: 'left_side' }").line("left_side").line("left_side", folded).findings();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].count, 8u);
}

TEST(Matcher, ComparesNumbersAndLists) {
  const char* equal = "{ event: kernel.xid, where: { code: 79 } }";
  EXPECT_NE(Matching(equal).event("kernel.xid", {{"code", "79"}}).findings()[0].rule, nullptr);
  EXPECT_EQ(Matching(equal).event("kernel.xid", {{"code", "179"}}).findings()[0].rule, nullptr);
  const char* in = "{ event: kernel.xid, where: { code: {in: [48, 79]} } }";
  EXPECT_NE(Matching(in).event("kernel.xid", {{"code", "48"}}).findings()[0].rule, nullptr);
  EXPECT_EQ(Matching(in).event("kernel.xid", {{"code", "4"}}).findings()[0].rule, nullptr);
}

TEST(Matcher, QuantitiesGetATwinThatRulesCanCompare) {
  auto killed = Matching("{ event: kernel.oom_kill, where: { limit_bytes: { above: 1000000 } } }")
                    .event("kernel.oom_kill", {{"limit", "536870912kB"}})
                    .event("kernel.oom_kill", {{"limit", "64kB"}})
                    .findings();
  ASSERT_THAT(killed, SizeIs(1));
  EXPECT_EQ(killed[0].fields.get("limit_bytes"), "549755813888");
  auto waited = Matching("{ line: 'Timeout after (?P<waited>\\d+s)' }").line("Timeout after 45s").findings();
  ASSERT_THAT(waited, SizeIs(1));
  EXPECT_EQ(waited[0].fields.get("waited_seconds"), "45");
}

TEST(Matcher, KeepsAFactOnceForItsWriterAtTheLastLineThatSaysIt) {
  auto facts = Matching("{ line: 'left_side' }")
                   .fact("world_size", "8", "0")
                   .fact("world_size", "8", "1")
                   .fact("outcome", "ok", "0")
                   .fact("world_size", "8", "0")
                   .facts();
  ASSERT_THAT(facts, SizeIs(3));
  EXPECT_EQ(facts[0].name, "world_size");
  EXPECT_EQ(facts[0].where.line, 4u);
  EXPECT_EQ(facts[1].envelope.rank, "1");
  EXPECT_EQ(facts[2].name, "outcome");
}

TEST(Matcher, FoldsRepeatsAndKeepsTheFirstPlace) {
  auto findings = Matching("{ line: 'it_broke' }").line("it_broke").line("other").line("it_broke").findings();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].count, 2u);
  EXPECT_EQ(findings[0].where.line, 1u);
  EXPECT_EQ(findings[0].last.line, 3u);
}

TEST(Matcher, KeepsRanksApart) {
  Envelope zero;
  zero.rank = "0";
  Envelope one;
  one.rank = "1";
  EXPECT_THAT(Matching("{ line: 'it_broke' }").line("it_broke", zero).line("it_broke", one).findings(), SizeIs(2));
}

TEST(Matcher, AllWaitsForEverySignatureWithinItsLines) {
  const char* rule = "{ all: [ { line: 'first_part' }, { line: 'second_part' } ], within: 2 }";
  EXPECT_THAT(Matching(rule).line("first_part").findings(), IsEmpty());
  EXPECT_THAT(Matching(rule).line("second_part").line("").line("first_part").findings(), SizeIs(1));
  EXPECT_THAT(Matching(rule).line("first_part").line("").line("").line("second_part").findings(), IsEmpty());
}

TEST(Matcher, SequenceAsksForTheOrder) {
  const char* rule = "{ sequence: [ { line: 'first_part' }, { line: 'second_part' } ] }";
  EXPECT_THAT(Matching(rule).line("first_part").line("second_part").findings(), SizeIs(1));
  EXPECT_THAT(Matching(rule).line("second_part").line("first_part").findings(), IsEmpty());
}

TEST(Matcher, ACombinationShowsAllItsLines) {
  const char* rule = "{ all: [ { line: 'first_part' }, { line: 'second_part' } ] }";
  const auto found = Matching(rule).line("second_part").line("").line("first_part").findings();
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].text, "second_part");
  ASSERT_THAT(found[0].more, SizeIs(1));
  EXPECT_EQ(found[0].more[0].text, "first_part");
  EXPECT_EQ(found[0].more[0].where.line, 3U);
}

TEST(Matcher, AwaitsTheRestOfSoManyMatches) {
  const char* rule = "{ all: [ { line: 'first_part' }, { line: 'second_part' } ], same: rank }";
  const auto of_rank = [](std::size_t rank) {
    Envelope envelope;
    envelope.rank = std::to_string(rank);
    return envelope;
  };
  for (std::size_t more : {0, 1}) {
    Matching matching(rule);
    for (std::size_t i = 0; i < Matcher::kMaxPartial + more; ++i) matching.line("first_part", of_rank(i));
    matching.line("second_part", of_rank(0)).line("second_part", of_rank(Matcher::kMaxPartial - 1));
    const auto result = matching.result();
    EXPECT_THAT(result.findings, SizeIs(2 - more));
    EXPECT_EQ(result.combinations_dropped, more == 0 ? 0u : 2u);
  }
}

TEST(Matcher, NotTakesTheRuleBackForTheWholeInput) {
  const char* rule = "{ any: [ { line: 'it_broke' } ], not: [ { line: 'never_mind' } ] }";
  EXPECT_THAT(Matching(rule).line("it_broke").line("never_mind").findings(), IsEmpty());
  EXPECT_THAT(Matching(rule).line("it_broke").findings(), SizeIs(1));
}

TEST(Matcher, MarksWhatAnInfoLineQuotes) {
  Envelope info;
  info.level = "info";
  auto quoted = Matching("{ line: 'it_broke' }").line("example: 'RuntimeError: it_broke' [cut]", info).findings();
  ASSERT_THAT(quoted, SizeIs(1));
  EXPECT_TRUE(quoted[0].quoted);
  EXPECT_FALSE(Matching("{ line: 'it_broke' }").line("it_broke 'x'", info).findings()[0].quoted);
  EXPECT_FALSE(Matching("{ line: 'it_broke' }").line("'it_broke'").findings()[0].quoted);
}

TEST(Matcher, KeepsAFailureThatNoRuleKnows) {
  auto findings = Matching("{ line: 'unrelated_text' }").event("cuda.status", {{"name", "cudaErrorNew"}}).findings();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].rule, nullptr);
  EXPECT_EQ(findings[0].role, Role::generic);
}

TEST(Matcher, AnUnknownExceptionThatOnlyNamesItsPlaceIsNoReason) {
  auto matching = Matching("{ line: 'unrelated_text' }");
  auto findings = matching.event("cpp.exception", {{"raised_from", "checkTimeout"}}).findings();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].role, Role::banner);
}

TEST(InsideQuotes, KnowsEscapesAndTheOtherQuote) {
  EXPECT_TRUE(inside_quotes("a 'b", 4));
  EXPECT_FALSE(inside_quotes("a 'b' c", 7));
  EXPECT_TRUE(inside_quotes("a \"it's", 7));
  EXPECT_TRUE(inside_quotes("'it\\'s", 6));
}

}  // namespace
}  // namespace cutopsy
