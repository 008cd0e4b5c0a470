#include "engine/match/spelled_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include "engine/rule/rule_set.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(SpelledOut, ListsTheTextsOfAnAnchoredPattern) {
  EXPECT_THAT(spelled_out("^79$"), ElementsAre("79"));
  EXPECT_THAT(spelled_out("^(119|120)$"), ElementsAre("119", "120"));
  EXPECT_THAT(spelled_out(R"(^a\.(?:b|c)d(e|)$)"), ElementsAre("a.bde", "a.bd", "a.cde", "a.cd"));
}

TEST(SpelledOut, ListsNothingForPatternsThatMatchMore) {
  for (const char* pattern :
       {"79$",        "^79",        "79",      "^7?9$",      "^79|80$",    "^[78]9$",  "^7.$",   "^(7|8)?$",
        "^(7|8){2}$", "^(a(b|c))$", "^(?i)a$", "^(?i:a)$",   "^(?P<x>a)$", "^\\d$",    "^a\\",   "^(a",
        "^a)$",       "",           "^",       "^\xC3\xA9$", "^a+$",       "^(a|b+)$", "^x\\?*$"}) {
    EXPECT_THAT(spelled_out(pattern), IsEmpty()) << pattern;
  }
}

TEST(SpelledOut, GivesUpOnLongLists) {
  EXPECT_THAT(spelled_out("^(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)$"), IsEmpty());
}

TEST(SpelledOut, ListsWhatThePatternsOfTheRulesMatch) {
  std::size_t lists = 0;
  for (const Rule& rule : RuleSet::built_in().rules()) {
    for (const Signature& signature : rule.signatures) {
      for (const Predicate& predicate : signature.where) {
        if (predicate.op != Predicate::Op::search) continue;
        const auto texts = spelled_out(predicate.text);
        if (!texts.empty()) ++lists;
        const RE2 regex(re2::StringPiece(predicate.text.data(), predicate.text.size()), RE2::Latin1);
        for (const std::string& text : texts) {
          EXPECT_TRUE(RE2::PartialMatch(text, regex)) << predicate.text;
          EXPECT_FALSE(RE2::PartialMatch(text + "x", regex) && texts.size() == 1) << predicate.text;
        }
      }
    }
  }
  EXPECT_GT(lists, 50u);
}

}  // namespace
}  // namespace cutopsy
