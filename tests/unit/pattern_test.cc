#include "engine/rule/pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/rule/rule_set.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;

TEST(Pattern, MatchesAnyByteWithADot) {
  EXPECT_TRUE(RE2::FullMatch("a\xFF", RE2("a.", pattern_options())));
}

TEST(Pattern, IsRefusedWhenRe2HasNoMemoryForAFastSearch) {
  EXPECT_THAT(mistake_in_pattern("a.{0,1000}b.{0,1000}c.{0,1000}d"), HasSubstr("compiles to 9"));
}

TEST(Pattern, IsRefusedWhenRe2CannotCompileIt) {
  EXPECT_THAT(mistake_in_pattern("x{2000}"), HasSubstr("at most 1000 times"));
  EXPECT_THAT(mistake_in_pattern("(a{100}){100}"), HasSubstr("nested counts multiplied"));
}

// It compiles as UTF-8, as rules were checked, but not as bytes, as they are matched.
TEST(Pattern, IsRefusedWhenItAsksForACharacterThatIsNoByte) {
  EXPECT_THAT(mistake_in_pattern(R"(a\x{2013}b)"), HasSubstr("written as the character itself"));
}

// RE2's lazily built DFA has many more states than memory; it goes on without, and misses nothing.
TEST(Pattern, OfTheLargestSizeMissesNothing) {
  const std::string pattern = "a.{0,600}b.{0,600}c$";
  ASSERT_EQ(mistake_in_pattern(pattern), "");
  std::string text;
  for (unsigned i = 0, seed = 1; i < 20'000; ++i) text += "abx"[(seed = seed * 1103515245 + 12345) >> 16 & 1];
  const RE2 regex(pattern, pattern_options());
  EXPECT_TRUE(RE2::PartialMatch(text + "c", regex));
  EXPECT_FALSE(RE2::PartialMatch(text + "x", regex));
}

TEST(Pattern, OfEveryBuiltInRuleCanBeUsed) {
  for (const Rule& rule : RuleSet::built_in().rules()) {
    for (const auto signatures : {rule.signatures, rule.absent}) {
      for (const Signature& signature : signatures) EXPECT_EQ(mistake_in_pattern(signature.line), "") << rule.id;
    }
  }
}

}  // namespace
}  // namespace cutopsy
