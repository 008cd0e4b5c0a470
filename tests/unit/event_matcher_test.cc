// What is remembered of an event must be what it matches.
#include "engine/match/event_matcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "engine/rule/loader.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kRules = R"(
- {id: x/a-number, title: t, severity: error, match: {event: kernel.xid, where: {code: '^(13|31)$'}}, cause: c, fix: [{do: f}]}
- {id: x/channel, title: t, severity: error, match: {event: kernel.xid, where: {text: 'Ch (?P<channel>\d+)'}}, cause: c, fix: [{do: f}]}
- {id: x/any, title: t, severity: error, match: {event: kernel.xid, role: generic}, cause: c, fix: [{do: f}]}
)";

class EventMatcherTest : public testing::Test {
 protected:
  std::vector<std::string> matched(std::string_view code, std::string_view text, std::string_view pid = "1") {
    Fields fields;
    fields.set("code", code);
    fields.set("text", text);
    fields.set("pid", pid);
    std::vector<std::string> found;
    for (const EventMatch& match : matcher_.matches("kernel.xid", "driver", fields)) {
      found.emplace_back(match.signature.rule->id);
      if (match.captures.has("channel")) found.back() += " " + std::string(match.captures.get("channel"));
    }
    return found;
  }

 private:
  RuleIndex index_{load_rules_from_text("test.yaml", kRules).rules};
  EventMatcher matcher_{index_};
};

TEST_F(EventMatcherTest, GivesGenericSignaturesOnlyWhereNoOtherMatches) {
  EXPECT_THAT(matched("13", "Ch 7"), ElementsAre("x/a-number", "x/channel 7"));
  EXPECT_THAT(matched("79", "gone"), ElementsAre("x/any"));
}

TEST_F(EventMatcherTest, GivesTheSameEachTime) {
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT(matched("31", "Ch 5", std::to_string(i)), ElementsAre("x/a-number", "x/channel 5")) << i;
  }
}

TEST_F(EventMatcherTest, TellsEventsApartByTheFieldsOfTheRules) {
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    const std::string code = std::to_string(10 + random() % 30);
    const std::string channel = std::to_string(random() % 4);
    std::vector<std::string> expected;
    if (code == "13" || code == "31") expected.push_back("x/a-number");
    expected.push_back("x/channel " + channel);
    ASSERT_EQ(matched(code, "Ch " + channel), expected);
  }
}

TEST_F(EventMatcherTest, DoesNotTakeOneFieldsEndForTheNextOnesBeginning) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(matched("1", "3Ch 1"), ElementsAre("x/channel 1"));
    EXPECT_THAT(matched("13", "Ch 1"), ElementsAre("x/a-number", "x/channel 1"));
  }
}

TEST_F(EventMatcherTest, KnowsNothingOfAKindWithoutRules) {
  RuleIndex index{load_rules_from_text("test.yaml", kRules).rules};
  EventMatcher matcher(index);
  EXPECT_THAT(matcher.matches("gpu.oom", "torch", Fields()), IsEmpty());
}

}  // namespace
}  // namespace cutopsy
