// Every kind of mistake in a rule file: its code and its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "engine/rule/loader.h"
#include "tests/unit/rule_text.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Mistake {
  const char* name;
  std::string yaml;
  const char* code;
  int line;
  int column;
  const char* says;

  friend void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }
};

class MistakeTest : public ::testing::TestWithParam<Mistake> {};

TEST_P(MistakeTest, IsReportedAtItsPlace) {
  const LoadedRules loaded = load_rules_from_text("rules/test.yaml", GetParam().yaml);
  ASSERT_THAT(loaded.problems, ::testing::SizeIs(1)) << ::testing::PrintToString(loaded.problems.size());
  const RuleProblem& problem = loaded.problems.front();
  EXPECT_EQ(problem.code, GetParam().code) << problem.message;
  EXPECT_EQ(problem.file, "rules/test.yaml");
  EXPECT_EQ(problem.line, GetParam().line) << problem.message;
  EXPECT_EQ(problem.column, GetParam().column) << problem.message;
  EXPECT_THAT(problem.message, HasSubstr(GetParam().says));
}

const auto kName = [](const auto& info) { return std::string(info.param.name); };

INSTANTIATE_TEST_SUITE_P(
    InKeys, MistakeTest,
    ::testing::Values(
        Mistake{"Unknown", rule_with("  prevnt: x\n"), "unknown-key", 6, 3, "did you mean 'prevent'?"},
        Mistake{"Duplicate", rule_with("  cause: again\n"), "duplicate-key", 6, 3, "twice"},
        Mistake{"UnknownInFix",
                "- id: a/b\n  title: T\n  match: { event: gpu.oom }\n  cause: C\n"
                "  fix:\n    - do: F\n      rum: x\n",
                "unknown-key", 7, 7, "did you mean 'run'?"},
        Mistake{"UnknownInExample", rule_with("  examples:\n    - { log: x, field: {} }\n"), "unknown-key", 7, 17,
                "did you mean 'fields'?"},
        Mistake{"CommaInUnquotedText",
                "- id: a/b\n  title: T\n  match: { event: gpu.oom }\n  cause: C\n"
                "  fix: [{ do: First, second }]\n",
                "unquoted-comma", 5, 22, "quotes"},
        Mistake{"FixWithoutDo",
                "- id: a/b\n  title: T\n  match: { event: gpu.oom }\n  cause: C\n"
                "  fix: [{ run: x }]\n",
                "missing-key", 5, 9, "'do'"},
        Mistake{"ExampleWithoutLog", rule_with("  examples:\n    - { fields: { a: b } }\n"), "missing-key", 7, 7,
                "'log'"},
        Mistake{"RelationWithoutRule", rule_with("  explains: [{ same: pid }]\n"), "missing-key", 6, 14, "'rule'"},
        Mistake{"CheckWithoutName", rule_with("  confirm: [{ expects: holds }]\n"), "missing-key", 6, 13, "'check'"},
        Mistake{"UnusedInRow", kTableOfRules + "    - { code: 1, sverity: info }\n", "unknown-key", 10, 18,
                "did you mean 'severity'?"},
        Mistake{"WithoutId", "- title: T\n  match: { event: gpu.oom }\n  cause: C\n  fix: [{ do: F }]\n", "missing-key",
                1, 3, "'id'"},
        Mistake{"WithoutTitle", "\n- id: a/b\n  match: { event: gpu.oom }\n  cause: C\n  fix: [{ do: F }]\n",
                "missing-key", 2, 3, "'title'"},
        Mistake{"WithoutMatch", "- id: a/b\n  title: T\n  cause: C\n  fix: [{ do: F }]\n", "missing-key", 1, 3,
                "'match'"},
        Mistake{"WithoutCause", "- id: a/b\n  title: T\n  match: { event: gpu.oom }\n  fix: [{ do: F }]\n",
                "missing-key", 1, 3, "'cause'"},
        Mistake{"WithoutFix", "- id: a/b\n  title: T\n  match: { event: gpu.oom }\n  cause: C\n", "missing-key", 1, 3,
                "'fix'"}),
    kName);

INSTANTIATE_TEST_SUITE_P(
    InStatus, MistakeTest,
    ::testing::Values(
        Mistake{"Unknown", rule_with("  status: new\n"), "bad-status", 6, 11, "stable, experimental, deprecated"},
        Mistake{"DeprecatedWithoutHeir", rule_with("  status: deprecated\n"), "missing-key", 1, 3, "'replaced_by'"},
        Mistake{"HeirOfAStableRule", rule_with("  replaced_by: a/b\n"), "misplaced-key", 6, 16, "status: deprecated"},
        Mistake{"SinceNoVersion", rule_with("  since: soon\n"), "bad-version", 6, 10, "'0.1'"},
        Mistake{"RequiresNoVersion", "- requires: new\n", "bad-version", 1, 13, "'0.1'"},
        Mistake{"RequiresWithMore", "- requires: '0.1'\n  id: a/b\n", "unknown-key", 2, 3, "'id'"},
        Mistake{"DisableNothing", "- disable: []\n", "wrong-type", 1, 12, "a list"},
        Mistake{"AppendATitle", "- append: a/b\n  title: T\n", "unknown-key", 2, 3, "'title'"},
        Mistake{"TodoWithFields", rule_with("  examples: [{ todo: x, fields: { a: b } }]\n"), "two-forms", 6, 14,
                "'todo'"}),
    kName);

INSTANTIATE_TEST_SUITE_P(
    InValues, MistakeTest,
    ::testing::Values(
        Mistake{"SeverityUnknown", rule_with("  severity: critical\n"), "bad-severity", 6, 13, "fatal"},
        Mistake{"RoleUnknown", rule_matching("{ event: gpu.oom, role: symptom }"), "bad-role", 3, 34, "effect"},
        Mistake{"ScopeUnknown", rule_with("  explains: [{ rule: a/b, same: process }]\n"), "bad-scope", 6, 33, "pid"},
        Mistake{"ExpectationUnknown", rule_with("  confirm: [{ check: x, expects: yes }]\n"), "bad-expectation", 6, 34,
                "fails"},
        Mistake{"IdWithoutFamily",
                "- id: gpu-oom\n  title: T\n  match: { event: gpu.oom }\n  cause: C\n"
                "  fix: [{ do: F }]\n",
                "bad-id", 1, 7, "family/slug"},
        Mistake{"IdInUpperCase",
                "- id: memory/GPU\n  title: T\n  match: { event: gpu.oom }\n  cause: C\n"
                "  fix: [{ do: F }]\n",
                "bad-id", 1, 7, "lower case"},
        Mistake{"IdOfARowWithoutItsKey", kTableOfRules + "    - { severity: info }\n", "bad-id", 1, 7, "{code}"},
        Mistake{"IdTwice", rule_with("") + rule_with(""), "duplicate-id", 6, 7, "rules/test.yaml:1"},
        Mistake{"VersionAsNumber", rule_with("  examples: [{ log: x, fields: { required: 12.10 } }]\n"),
                "unquoted-number", 6, 44, "'12.10'"},
        Mistake{"TitleOfTwoLines",
                "- id: a/b\n  title: |\n    T\n    U\n  match: { event: gpu.oom }\n  cause: C\n"
                "  fix: [{ do: F }]\n",
                "wrong-type", 2, 10, "one line"},
        Mistake{"CauseIsList",
                "- id: a/b\n  title: T\n  match: { event: gpu.oom }\n  cause: [C]\n"
                "  fix: [{ do: F }]\n",
                "wrong-type", 4, 10, "write a text"},
        Mistake{"CauseIsEmpty",
                "- id: a/b\n  title: T\n  match: { event: gpu.oom }\n  cause:\n"
                "  fix: [{ do: F }]\n",
                "wrong-type", 5, 3, "write a text"},
        Mistake{"FixIsText", "- id: a/b\n  title: T\n  match: { event: gpu.oom }\n  cause: C\n  fix: F\n", "wrong-type",
                5, 8, "write a list"},
        Mistake{"DebugIsEmptyList", rule_with("  debug: []\n"), "wrong-type", 6, 10, "empty list"},
        Mistake{"ReferenceIsNoAddress", rule_with("  references: [see the manual]\n"), "bad-reference", 6, 15, "https"},
        Mistake{"ExampleIsBoth", rule_with("  examples: [{ log: a, not: b }]\n"), "two-forms", 6, 14, "two examples"},
        Mistake{"TableIsMapping",
                "- id: a/b\n  title: T\n  match: { event: gpu.oom }\n  cause: C\n"
                "  fix: [{ do: F }]\n  table: { code: 1 }\n",
                "wrong-type", 6, 10, "write a list"},
        Mistake{"RowIsText", kTableOfRules + "    - 79\n", "wrong-type", 10, 7, "a mapping"}),
    kName);

INSTANTIATE_TEST_SUITE_P(
    InMatch, MistakeTest,
    ::testing::Values(
        Mistake{"KindUnknown", rule_matching("{ event: gpu.omm }"), "unknown-kind", 3, 19, "did you mean 'gpu.oom'?"},
        Mistake{"FieldUnknown", rule_matching("{ event: kernel.xid, where: { cod: '9' } }"), "unknown-field", 3, 40,
                "did you mean 'code'?"},
        Mistake{"RegexBroken", rule_matching("{ event: kernel.xid, where: { code: '(79' } }"), "bad-regex", 3, 46,
                "missing )"},
        Mistake{"RegexWithLookAhead", rule_matching("{ line: 'has fallen(?! off)' }"), "bad-regex", 3, 18,
                "no look-around"},
        Mistake{"LineWithoutLiteral", rule_matching("{ line: '[Ee]rr: .*' }"), "no-trigger", 3, 18, "5 characters"},
        Mistake{"EventAndLine", rule_matching("{ event: gpu.oom, line: 'out of memory' }"), "two-forms", 3, 28,
                "'event'"},
        Mistake{"AnyAndAll", rule_matching("{ any: { event: gpu.oom }, all: { event: gpu.oom } }"), "two-forms", 3, 37,
                "'any'"},
        Mistake{"Nothing", rule_matching("{ role: effect }"), "missing-signature", 3, 10, "event, line, any"},
        Mistake{"NothingInAny", rule_matching("{ any: [{ where: {} }] }"), "missing-signature", 3, 18, "event, line"},
        Mistake{"Text", rule_matching("out of memory"), "wrong-type", 3, 10, "a mapping"},
        Mistake{"WhereBesideLine", rule_matching("{ line: 'out of memory', where: { a: b } }"), "misplaced-key", 3, 42,
                "regex"},
        Mistake{"WithinWithoutAll", rule_matching("{ event: gpu.oom, within: 3 }"), "misplaced-key", 3, 28, "sequence"},
        Mistake{"RoleBesideAny", rule_matching("{ any: { event: gpu.oom }, role: effect }"), "misplaced-key", 3, 37,
                "inside the list"},
        Mistake{"WithinOfWords", rule_matching("{ all: [{ event: gpu.oom }], within: 5 lines }"), "wrong-type", 3, 47,
                "number"},
        Mistake{"WithinOfNothing", rule_matching("{ all: [{ event: gpu.oom }], within: 0.5 }"), "wrong-type", 3, 47,
                "whole number"},
        Mistake{"PlaceholderWithoutQuotes", rule_matching("{ event: kernel.xid, where: { code: {code} } }"),
                "unquoted-placeholder", 3, 46, "'{code}'"},
        Mistake{"RangeUnknown", rule_matching("{ event: gpu.oom, where: { free_share: { over: 0.5 } } }"),
                "unknown-key", 3, 51, "above, below, in"},
        Mistake{"RangeOfWords", rule_matching("{ event: gpu.oom, where: { free_share: { above: half } } }"),
                "wrong-type", 3, 58, "number"},
        Mistake{"VersionAsNumber", rule_matching("{ event: cuda.status, where: { code: 12.10 } }"), "unquoted-number",
                3, 47, "'12.10'"}),
    kName);

INSTANTIATE_TEST_SUITE_P(
    InYaml, MistakeTest,
    ::testing::Values(Mistake{"Unclosed", "- id: a/b\n  title: [T\n", "bad-yaml", 3, 1, "not valid YAML"},
                      Mistake{"ColonInText", "- id: a/b\n  title: T: U\n", "bad-yaml", 2, 11, "needs quotes"},
                      Mistake{"TabForIndentation", "- id: a/b\n\ttitle: T\n", "bad-yaml", 2, 1, "not valid YAML"},
                      Mistake{"IndentedBlockText", rule_with("  prevent: |\n      deep\n    shallow\n"), "bad-yaml", 8,
                              5, "|2"},
                      Mistake{"Mapping", "id: a/b\ntitle: T\n", "not-a-list", 1, 1, "list of rules"},
                      Mistake{"ListOfTexts", "- id\n", "wrong-type", 1, 3, "a mapping"},
                      Mistake{"Alias", "- &a { id: a/b }\n- *a\n", "alias", 2, 3, "write the value out"},
                      Mistake{"SecondDocument", "- {}\n---\n- {}\n", "second-document", 2, 1, "one YAML document"},
                      Mistake{"ControlCharacter", "- id: a/b\n  title: a\x1b[0m\n", "bad-character", 2, 11, "\\x1b"},
                      Mistake{"EndOfTransmission",
                              "- id: a/b\n  title: a\x04"
                              "b\n",
                              "bad-character", 2, 11, "\\x04"},
                      Mistake{"Latin1", "- id: a/b\n  title: caf\xe9\n", "bad-character", 2, 13, "UTF-8"}),
    kName);

/// Text that must be refused, soon and in little memory, whatever it does to a YAML parser.
class HostileYamlTest : public ::testing::TestWithParam<Mistake> {};

TEST_P(HostileYamlTest, IsRefused) {
  const LoadedRules loaded = load_rules_from_text("rules/test.yaml", GetParam().yaml);
  ASSERT_THAT(loaded.problems, ::testing::Not(IsEmpty()));
  EXPECT_EQ(loaded.problems.front().code, GetParam().code) << loaded.problems.front().message;
  EXPECT_THAT(loaded.rules.rules(), IsEmpty());
}

std::string repeated(const std::string& piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

constexpr std::size_t kManyBytes = 200'000;

/// Ten levels of lists that each hold the level above ten times: 10^10 values when aliases are followed.
std::string alias_bomb() {
  std::string text = "- &a0 x\n";
  for (int level = 1; level <= 10; ++level) {
    const std::string alias = "*a" + std::to_string(level - 1);
    text += "- &a" + std::to_string(level) + " [" + alias;
    for (int i = 1; i < 10; ++i) text += ", " + alias;
    text += "]\n";
  }
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    Texts, HostileYamlTest,
    ::testing::Values(Mistake{"NestedLists", repeated("[", kManyBytes), "too-deep", 0, 0, ""},
                      Mistake{"NestedMappings", repeated("{a: ", kManyBytes), "too-deep", 0, 0, ""},
                      Mistake{"NestedBlocks", repeated("- ", kManyBytes), "too-deep", 0, 0, ""},
                      Mistake{"NestedKeys", repeated("? ", kManyBytes), "too-deep", 0, 0, ""},
                      Mistake{"AliasBomb", alias_bomb(), "alias", 0, 0, ""},
                      Mistake{"ManyValues", "[" + repeated("a,", 2 * kManyBytes + 2), "too-large", 0, 0, ""},
                      Mistake{"ManyBytes", "# " + repeated("x", 1 << 20), "too-large", 0, 0, ""},
                      Mistake{"StrayCommas", repeated(",", kManyBytes), "second-document", 0, 0, ""},
                      Mistake{"ManyDocuments", repeated("---\n", kManyBytes), "second-document", 0, 0, ""},
                      Mistake{"NulBytes", std::string(kManyBytes, '\0'), "bad-character", 0, 0, ""},
                      Mistake{"Utf16", std::string("\xff\xfe-\0 \0", 6), "bad-character", 0, 0, ""},
                      Mistake{"Anchors", repeated("&a ", kManyBytes), "bad-yaml", 0, 0, ""}),
    kName);

TEST(HostileRegexTest, AHugeRegexIsRefused) {
  const LoadedRules loaded =
      load_rules_from_text("rules/test.yaml", rule_matching("{ line: '((out of memory){1000}){1000}' }"));
  ASSERT_THAT(loaded.problems, ::testing::SizeIs(1));
  EXPECT_EQ(loaded.problems[0].code, "bad-regex");
}

}  // namespace
}  // namespace cutopsy
