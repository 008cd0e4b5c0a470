#include "engine/scan/trigger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace cutopsy {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<std::string> triggers(std::string_view pattern) {
  return derive_trigger(pattern, nullptr);
}

TEST(Trigger, IsAPieceOfTheOnlyLiteral) {
  auto found = triggers("EADDRINUSE");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT("EADDRINUSE", HasSubstr(found.front()));
  EXPECT_LE(found.front().size(), kMaxTriggerBytes);
  EXPECT_GE(found.front().size(), kMinTriggerBytes);
}

TEST(Trigger, TakesOnePieceOfEachAlternative) {
  EXPECT_THAT(triggers("(alpha_one|beta_two)"), SizeIs(2));
}

TEST(Trigger, NeedsOnlyOneOfTwoLiteralsThatMustBothStand) {
  EXPECT_THAT(triggers("zyxwvu.*qponml"), SizeIs(1));
}

TEST(Trigger, KeepsTheCaseOfThePattern) {
  EXPECT_THAT(triggers("QuuxX"), ElementsAre("QuuxX"));
}

TEST(Trigger, CutsAtACharacterClass) {
  EXPECT_THAT(triggers("[Ee]rrorx"), ElementsAre("rrorx"));
}

TEST(Trigger, HoldsForEveryCaseThatAClassGivesAWordSpelledElsewhereInOnePiece) {
  EXPECT_THAT(triggers("[Gg]raphite|a Graphite"), ElementsAre("Graphite", "raphite"));
}

TEST(Trigger, TakesNoCaseFromAnotherWordThatGoesOnAlike) {
  EXPECT_THAT(triggers("[Zz]onnuct to (?P<a>\\d+) (Zonnuction failed|quux)"), ElementsAre(Not(HasSubstr("Zonnuct"))));
  EXPECT_THAT(required_literals("[Zz]onnuct to (?P<a>\\d+) (Zonnuction failed|quux)"),
              Each(Not(HasSubstr("Zonnuct to"))));
}

TEST(Trigger, HoldsForAWordThatAnotherAlternativeSpellsOtherwise) {
  const auto found = required_literals("^(QUUX|Quux|quux) (is )?gone$|^QUUX is needed$");
  for (std::string_view text : {"QUUX gone", "Quux is gone", "quux gone", "QUUX is needed"})
    EXPECT_TRUE(std::ranges::any_of(found, [&](const auto& literal) { return text.find(literal) != text.npos; }))
        << text;
}

TEST(Trigger, TakesNoTextFromTheNameOfAGroup) {
  EXPECT_THAT(triggers("^\\| QUU(?P<quux>\\d+): Fail"), ElementsAre("| QUU"));
}

TEST(Trigger, DoesNotTakeTheCaseOfAnOpenInitialFromAnotherAlternative) {
  const auto found = triggers("[Qq]uuxxyz (?:zork )?wibble|zz_aa quuxxyz");
  for (std::string_view text : {"Quuxxyz wibble", "quuxxyz zork wibble", "zz_aa quuxxyz"})
    EXPECT_THAT(found, ::testing::Contains(::testing::ResultOf(
                           [&](const std::string& trigger) { return text.find(trigger) != text.npos; }, true)))
        << text;
}

TEST(Trigger, PrefersWhatOrdinaryLogsDoNotHold) {
  EXPECT_THAT(triggers("epoch .* xyzzy"), ElementsAre(" xyzzy"));
}

TEST(Trigger, AvoidsWhatWrappersEscape) {
  EXPECT_THAT(triggers("\"ab\\\\cdefgh\""), ElementsAre("cdefgh"));
}

TEST(Trigger, RefusesAPatternThatMatchesWithoutALiteral) {
  std::string why_not;
  EXPECT_THAT(derive_trigger("abc|longer_literal", &why_not), IsEmpty());
  EXPECT_THAT(why_not, HasSubstr("every alternative"));
}

TEST(Trigger, RefusesCaselessPatterns) {
  std::string why_not;
  EXPECT_THAT(derive_trigger("(?i)some literal", &why_not), IsEmpty());
  EXPECT_THAT(why_not, HasSubstr("[Ee]rror"));
}

TEST(RequiredLiterals, AreShorterThanTriggersToo) {
  EXPECT_THAT(required_literals("^foo$"), ElementsAre("foo"));
}

TEST(RequiredLiterals, HoldForEveryCaseThatAClassGivesAWordSpelledElsewhereInOnePiece) {
  EXPECT_THAT(required_literals("[Mm]esh|DeviceMesh"), ElementsAre("DeviceMesh", "esh"));
}

TEST(RequiredLiterals, AreNoneForAPatternOfClassesOnly) {
  EXPECT_THAT(required_literals("\\d+"), IsEmpty());
}

}  // namespace
}  // namespace cutopsy
