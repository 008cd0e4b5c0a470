// Rule files: what they mean, and what is said about mistakes in them.
#include "engine/rule/loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "engine/rule/rule_set.h"
#include "tests/unit/rule_text.h"
#include "tests/unit/temporary_folder.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

LoadedRules load(const std::string& yaml) {
  return load_rules_from_text("rules/test.yaml", yaml);
}

/// The only rule of `loaded`, which must have no problems.
const Rule& only_rule(const LoadedRules& loaded) {
  EXPECT_THAT(loaded.problems, IsEmpty()) << to_string(loaded.problems.front());
  EXPECT_THAT(loaded.rules.rules(), SizeIs(1));
  return loaded.rules.rules().front();
}

TEST(LoaderTest, ReadsASignatureOnAnEvent) {
  const LoadedRules loaded =
      load(rule_matching("{ event: kernel.xid, where: { code: '^79$' }, role: effect, severity: fatal }"));
  const Rule& rule = only_rule(loaded);
  EXPECT_EQ(rule.id, "memory/gpu-oom");
  EXPECT_EQ(rule.title, "The GPU ran out of memory");
  EXPECT_EQ(rule.severity, Severity::error);
  EXPECT_EQ(rule.combine, Combine::any);
  EXPECT_EQ(rule.source, "rules/test.yaml");
  EXPECT_EQ(rule.source_line, 1U);
  ASSERT_THAT(rule.signatures, SizeIs(1));
  const Signature& signature = rule.signatures[0];
  EXPECT_EQ(signature.event, "kernel.xid");
  EXPECT_EQ(signature.role, Role::effect);
  EXPECT_EQ(signature.severity, Severity::fatal);
  ASSERT_THAT(signature.where, SizeIs(1));
  EXPECT_EQ(signature.where[0].field, "code");
  EXPECT_EQ(signature.where[0].op, Predicate::Op::search);
  EXPECT_EQ(signature.where[0].text, "^79$");
}

TEST(LoaderTest, ReadsALineWithItsTriggers) {
  const LoadedRules loaded = load(rule_matching("{ line: 'GPU has fallen off the (?P<where>bus)' }"));
  const Rule& rule = only_rule(loaded);
  ASSERT_THAT(rule.signatures, SizeIs(1));
  EXPECT_EQ(rule.signatures[0].line, "GPU has fallen off the (?P<where>bus)");
  ASSERT_THAT(rule.signatures[0].triggers, SizeIs(1));
  EXPECT_THAT("GPU has fallen off the bus", HasSubstr(std::string(rule.signatures[0].triggers[0])));
}

TEST(LoaderTest, ASearchKnowsTheLiteralsItNeeds) {
  const LoadedRules loaded =
      load(rule_matching("{ event: cuda.status, where: { name: 'cudaError(Assert|LaunchFailure)' } }"));
  const Predicate& predicate = only_rule(loaded).signatures[0].where[0];
  EXPECT_THAT(predicate.literals, ::testing::Not(IsEmpty()));
}

TEST(LoaderTest, NumbersAndBooleansAreComparedNotSearched) {
  const LoadedRules loaded = load(rule_matching("{ event: gpu.oom, where: { gpu: 0, host: true } }"));
  const Rule& rule = only_rule(loaded);
  ASSERT_THAT(rule.signatures[0].where, SizeIs(2));
  EXPECT_EQ(rule.signatures[0].where[0].op, Predicate::Op::equal);
  EXPECT_EQ(rule.signatures[0].where[0].text, "0");
  EXPECT_EQ(rule.signatures[0].where[1].op, Predicate::Op::equal);
  EXPECT_EQ(rule.signatures[0].where[1].text, "true");
}

TEST(LoaderTest, ReadsRangesAndSets) {
  const LoadedRules loaded = load(
      rule_matching("{ event: gpu.oom, where: { foreign_share: { above: 0.10, below: 1 }, gpu: { in: [0, '1'] } } }"));
  const Rule& rule = only_rule(loaded);
  ASSERT_THAT(rule.signatures[0].where, SizeIs(3));
  EXPECT_EQ(rule.signatures[0].where[0].op, Predicate::Op::above);
  EXPECT_DOUBLE_EQ(rule.signatures[0].where[0].number, 0.1);
  EXPECT_EQ(rule.signatures[0].where[1].op, Predicate::Op::below);
  EXPECT_DOUBLE_EQ(rule.signatures[0].where[1].number, 1);
  EXPECT_THAT(rule.signatures[0].where[2].values, ElementsAre("0", "1"));
}

TEST(LoaderTest, AnEventCanBeAskedForItsEmitter) {
  const LoadedRules loaded = load(rule_matching("{ event: gpu.oom, where: { emitter: '^torch$' } }"));
  EXPECT_EQ(only_rule(loaded).signatures[0].where[0].field, "emitter");
}

TEST(LoaderTest, ReadsCombinations) {
  const LoadedRules loaded =
      load(rule_matching("{ sequence: [{ event: gpu.oom }, { event: kernel.xid }], within: 200, same: gpu, "
                         "not: { event: kernel.sxid } }"));
  const Rule& rule = only_rule(loaded);
  EXPECT_EQ(rule.combine, Combine::sequence);
  EXPECT_THAT(rule.signatures, SizeIs(2));
  EXPECT_EQ(rule.within_lines, 200U);
  EXPECT_EQ(rule.same, Scope::gpu);
  ASSERT_THAT(rule.absent, SizeIs(1));
  EXPECT_EQ(rule.absent[0].event, "kernel.sxid");
}

TEST(LoaderTest, SignaturesTakeTheSeverityOfTheirRule) {
  const LoadedRules loaded = load(rule_with("  severity: fatal\n"));
  EXPECT_EQ(only_rule(loaded).signatures[0].severity, Severity::fatal);
}

TEST(LoaderTest, ReadsRelationsChecksAndFacts) {
  const LoadedRules loaded = load(
      rule_with("  explains: ['cuda/*', { rule: driver/xid-45, same: pid }]\n"
                "  clears: [memory/other]\n"
                "  shows: [driver_version]\n"
                "  confirm: [{ check: memory-pattern, expects: fails, with: { size: '{tried_to_allocate}' } }]\n"));
  const Rule& rule = only_rule(loaded);
  ASSERT_THAT(rule.explains, SizeIs(2));
  EXPECT_EQ(rule.explains[0].target, "cuda/*");
  EXPECT_EQ(rule.explains[0].same, Scope::any);
  EXPECT_EQ(rule.explains[1].target, "driver/xid-45");
  EXPECT_EQ(rule.explains[1].same, Scope::pid);
  ASSERT_THAT(rule.clears, SizeIs(1));
  EXPECT_THAT(rule.shows, ElementsAre("driver_version"));
  ASSERT_THAT(rule.confirm, SizeIs(1));
  EXPECT_EQ(rule.confirm[0].check, "memory-pattern");
  EXPECT_TRUE(rule.confirm[0].expects_failure);
  ASSERT_THAT(rule.confirm[0].with, SizeIs(1));
  EXPECT_EQ(rule.confirm[0].with[0].name, "size");
  EXPECT_EQ(rule.confirm[0].with[0].value, "{tried_to_allocate}");
}

TEST(LoaderTest, ATableMakesARuleOfEachRow) {
  const LoadedRules loaded = load(kTableOfRules);
  ASSERT_THAT(loaded.problems, IsEmpty());
  ASSERT_THAT(loaded.rules.rules(), SizeIs(2));
  const Rule& teardown = loaded.rules.rules()[0];
  EXPECT_EQ(teardown.id, "driver/xid-45");
  EXPECT_EQ(teardown.title, "The channel was torn down");
  EXPECT_EQ(teardown.signatures[0].where[0].text, "^45$");
  EXPECT_EQ(teardown.source_line, 1U);
  EXPECT_EQ(teardown.row_line, 7U);
  const Rule& bus = loaded.rules.rules()[1];
  EXPECT_EQ(bus.id, "driver/xid-79");
  EXPECT_EQ(bus.title, "Xid 79");
  EXPECT_EQ(bus.severity, Severity::fatal);
  EXPECT_EQ(bus.signatures[0].severity, Severity::fatal);
}

TEST(LoaderTest, KeepsTheTextOfRuleAndRowWithTheirColumns) {
  const LoadedRules loaded = load(kTableOfRules);
  ASSERT_THAT(loaded.rules.rules(), SizeIs(2));
  const Rule& teardown = loaded.rules.rules()[0];
  EXPECT_EQ(teardown.row_yaml, "      code: 45\n      title: The channel was torn down\n");
  EXPECT_THAT(std::string(teardown.yaml), HasSubstr("  id: driver/xid-{code}\n  title: Xid {code}\n"));
  EXPECT_THAT(std::string(teardown.yaml), ::testing::Not(HasSubstr("code: 45")));
  EXPECT_EQ(loaded.rules.rules()[1].row_yaml, "      { code: 79, severity: fatal, cause: 'Off the bus, {pci} says' }");
}

TEST(LoaderTest, TheTextOfARuleEndsBeforeTheNextOne) {
  const LoadedRules loaded = load(
      rule_with("# of the second\n-\n  # more\n  id: memory/other\n" + rule_matching("{ event: gpu.oom }").substr(21)));
  ASSERT_THAT(loaded.problems, IsEmpty());
  ASSERT_THAT(loaded.rules.rules(), SizeIs(2));
  EXPECT_THAT(std::string(loaded.rules.rules()[0].yaml), ::testing::EndsWith("fix: [{ do: Shrink the batch. }]\n"));
  EXPECT_THAT(std::string(loaded.rules.rules()[1].yaml), ::testing::StartsWith("  id: memory/other\n"));
}

TEST(LoaderTest, ReadsJson) {
  const LoadedRules loaded = load(
      R"([{"id": "memory/gpu-oom", "title": "It's {full}", "match": {"event": "gpu.oom"}, "cause": "}", "fix": [{"do": "x"}]}])");
  EXPECT_EQ(only_rule(loaded).title, "It's {full}");
}

TEST(LoaderTest, ReadsFilesSavedOnWindows) {
  std::string yaml = "\xEF\xBB\xBF" + rule_matching("{ event: gpu.oom }");
  for (std::size_t at = yaml.find('\n'); at != std::string::npos; at = yaml.find('\n', at + 2))
    yaml.insert(at, 1, '\r');
  const LoadedRules loaded = load(yaml);
  EXPECT_EQ(only_rule(loaded).title, "The GPU ran out of memory");
}

TEST(LoaderTest, AnEmptyFileHoldsNoRules) {
  EXPECT_THAT(load("").problems, IsEmpty());
  EXPECT_THAT(load("# nothing yet\n").problems, IsEmpty());
}

TEST(LoaderTest, ARuleWithAMistakeIsLeftOutAndTheOthersStay) {
  const LoadedRules loaded = load(rule_with("  sevrity: fatal\n") +
                                  "- id: memory/other\n  title: T\n  match: { event: gpu.oom }\n  cause: C\n"
                                  "  fix: [{ do: F }]\n");
  EXPECT_THAT(loaded.problems, SizeIs(1));
  ASSERT_THAT(loaded.rules.rules(), SizeIs(1));
  EXPECT_EQ(loaded.rules.rules()[0].id, "memory/other");
}

TEST(LoaderTest, AMistakeInATablesTextIsReportedOnce) {
  std::string yaml = kTableOfRules;
  yaml.replace(yaml.find("cause:"), 6, "casue:");
  const LoadedRules loaded = load(yaml);
  ASSERT_THAT(loaded.problems, SizeIs(2));
  EXPECT_EQ(loaded.problems[0].code, "unknown-key");
  EXPECT_THAT(loaded.problems[0].message, HasSubstr("did you mean 'cause'?"));
  EXPECT_EQ(loaded.problems[1].code, "missing-key");
  EXPECT_EQ(loaded.problems[1].line, 7);
}

TEST(LoaderTest, ReportsEveryMistakeOfOneRun) {
  const LoadedRules loaded = load(
      "- id: Memory\n"
      "  titel: T\n"
      "  severity: bad\n"
      "  match: { event: gpu.oom, where: { message: '(', nope: 1 } }\n"
      "  cause: 12.10\n"
      "  fix: do it\n");
  std::vector<std::string> codes;
  for (const RuleProblem& problem : loaded.problems) codes.push_back(problem.code);
  EXPECT_THAT(codes, ElementsAre("missing-key", "bad-id", "unknown-key", "bad-severity", "bad-regex", "unknown-field",
                                 "unquoted-number", "wrong-type"));
}

TEST(LoaderTest, AProblemPrintsAsCompilersDo) {
  EXPECT_EQ(to_string(RuleProblem{"bad-id", "a.yaml", 3, 7, "id: no"}), "a.yaml:3:7: id: no [bad-id]");
}

class RuleFolderTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }

  const TemporaryFolder folder_;
};

TEST_F(RuleFolderTest, LoadsEveryYamlFileBelowAFolder) {
  write("memory/gpu.yaml", rule_with(""));
  write("xid.yml", kTableOfRules);
  write("README.md", "no rules: {");
  const LoadedRules loaded = load_rules({folder_.path()});
  EXPECT_THAT(loaded.problems, IsEmpty());
  EXPECT_THAT(loaded.rules.rules(), SizeIs(3));
}

TEST_F(RuleFolderTest, ABrokenFileDoesNotKeepTheOthersFromLoading) {
  write("a.yaml", "- id: [\n");
  write("b.yaml", rule_with(""));
  const LoadedRules loaded = load_rules({folder_.path()});
  ASSERT_THAT(loaded.problems, SizeIs(1));
  EXPECT_EQ(loaded.problems[0].code, "bad-yaml");
  EXPECT_EQ(loaded.problems[0].file, folder_.path("a.yaml"));
  EXPECT_THAT(loaded.rules.rules(), SizeIs(1));
}

TEST_F(RuleFolderTest, ASecondRuleOfTheSameIdNamesTheFirst) {
  write("a.yaml", rule_with(""));
  write("b.yaml", "\n" + rule_with(""));
  const LoadedRules loaded = load_rules({folder_.path()});
  ASSERT_THAT(loaded.problems, SizeIs(1));
  EXPECT_EQ(loaded.problems[0].code, "duplicate-id");
  EXPECT_EQ(loaded.problems[0].line, 2);
  EXPECT_EQ(loaded.problems[0].column, 7);
  EXPECT_THAT(loaded.problems[0].message, HasSubstr(folder_.path("a.yaml") + ":1"));
  EXPECT_THAT(loaded.rules.rules(), SizeIs(1));
}

TEST_F(RuleFolderTest, AMissingPathIsAProblem) {
  const LoadedRules loaded = load_rules({folder_.path("absent.yaml"), "/dev/null"});
  ASSERT_THAT(loaded.problems, SizeIs(2));
  EXPECT_EQ(loaded.problems[0].code, "unreadable");
  EXPECT_EQ(loaded.problems[1].code, "unreadable");
}

}  // namespace
}  // namespace cutopsy
