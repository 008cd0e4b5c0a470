// `cutopsy rules ...` as authors of rules use it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/e2e/command.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class RulesCommand : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const { return folder_.write(name, text); }
  static Outcome rules(const std::string& arguments) { return run_cutopsy("rules " + arguments); }

  const TemporaryFolder folder_;
};

/// A rule of the test's own, whose two examples hold when `log` is matched and `near_miss` is not.
std::string own_rule(const std::string& log, const std::string& near_miss) {
  return "- id: mine/quench\n"
         "  title: The magnet quenched\n"
         "  severity: fatal\n"
         "  match: { line: 'magnet quench at (?P<kelvin>[\\d.]+) K' }\n"
         "  cause: 'At {kelvin} K the coil is no superconductor.'\n"
         "  fix: [{ do: Cool it down., run: 'cryo --fill' }]\n"
         "  references: ['https://example.org/quench']\n"
         "  examples:\n"
         "    - log: '" +
         log +
         "'\n"
         "      fields: { kelvin: '9.3' }\n"
         "    - not: '" +
         near_miss + "'\n";
}

const std::string kGoodRule = own_rule("E0412 magnet quench at 9.3 K", "no magnet quench at all");

TEST_F(RulesCommand, ListsEveryRuleWithSeverityAndTitle) {
  const Outcome result = rules("list --rules " + write("mine.yaml", kGoodRule));
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_THAT(result.out, MatchesRegex("(.|\n)*\nmine/quench +fatal +The magnet quenched\n(.|\n)*"));
  EXPECT_THAT(result.out, HasSubstr("\nmemory/gpu-oom "));
}

TEST_F(RulesCommand, ListsOneFamilyAsJson) {
  const Outcome result = rules("list --family mine --format json --rules " + write("mine.yaml", kGoodRule));
  ASSERT_EQ(result.status, 0);
  const auto list = nlohmann::json::parse(result.out);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0]["id"], "mine/quench");
  EXPECT_EQ(list[0]["severity"], "fatal");
  EXPECT_THAT(list[0]["place"].get<std::string>(), HasSubstr("mine.yaml:1"));
}

TEST_F(RulesCommand, ShowsWhatARuleSaysAndMatches) {
  const Outcome result = rules("show mine/quench --rules " + write("mine.yaml", kGoodRule));
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, StartsWith("fatal: The magnet quenched\n  mine/quench, "));
  EXPECT_THAT(result.out, HasSubstr("a line with /magnet quench at"));
  EXPECT_THAT(result.out, HasSubstr("  1. Cool it down.\n       $ cryo --fill\n"));
  EXPECT_THAT(result.out, HasSubstr("https://example.org/quench"));
}

TEST_F(RulesCommand, SuggestsTheNearestIdForAnUnknownOne) {
  const Outcome result = rules("show memory/gpu-omo");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("memory/gpu-oom"));
}

TEST_F(RulesCommand, LintIsSilentOnGoodRules) {
  const Outcome result = rules("lint " + write("mine.yaml", kGoodRule));
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, IsEmpty());
}

TEST_F(RulesCommand, LintNamesThePlaceOfEveryMistake) {
  const std::string path = write("mine.yaml", kGoodRule + "  prevnt: x\n  explains: [nothing/here]\n");
  const Outcome text = rules("lint " + path);
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.out, StartsWith(path + ":12:3: "));
  EXPECT_THAT(text.out, HasSubstr("[unknown-key]"));

  const auto json = nlohmann::json::parse(rules("lint --format json " + path).out);
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["code"], "unknown-key");
  EXPECT_EQ(json[0]["line"], 12);
  EXPECT_EQ(json[0]["column"], 3);
}

TEST_F(RulesCommand, TheBuiltInRulesAreWithoutMistakes) {
  const Outcome result = rules("lint");
  EXPECT_EQ(result.status, 0) << result.out;
}

TEST_F(RulesCommand, TestRunsTheExamplesOfAFile) {
  const Outcome result = rules("test " + write("mine.yaml", kGoodRule));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "2 examples of 1 rules, 0 failed\n");
}

TEST_F(RulesCommand, TestTellsWhichExamplesFailAndWhy) {
  const std::string path = write("mine.yaml", own_rule("E0412 magnet quench at 4.2 K", "magnet quench at 1 K"));
  const Outcome result = rules("test " + path);
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr(path + ":9: mine/quench: kelvin is '4.2', not '9.3'\n"));
  EXPECT_THAT(result.out, HasSubstr(path + ":11: mine/quench: the near miss matches, in its line 1\n"));
  EXPECT_THAT(result.out, HasSubstr("2 examples of 1 rules, 2 failed\n"));
}

TEST_F(RulesCommand, TestTellsWhatWasFoundInstead) {
  const Outcome result = rules("test " + write("mine.yaml", own_rule("coil is warm", "nothing")));
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("the log does not match; found: nothing"));
}

TEST_F(RulesCommand, TestRunsTheExamplesOfOneBuiltInRule) {
  const Outcome result = rules("test memory/gpu-oom");
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("of 1 rules, 0 failed\n"));
}

TEST_F(RulesCommand, TestReportsAnExampleThatAnotherRuleClaims) {
  const Outcome result = rules("test " + write("mine.yaml",
                                               "- id: mine/assert\n"
                                               "  title: T\n"
                                               "  match: { line: 'Assertion .t >= 0' }\n"
                                               "  cause: C\n"
                                               "  fix: [{ do: D }]\n"
                                               "  examples:\n"
                                               "    - log: '../aten/src/ATen/native/cuda/Loss.cu:250: "
                                               "nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: "
                                               "[3,0,0] Assertion `t >= 0 && t < n_classes` failed.'\n"));
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("mine.yaml:7: mine/assert: assert/label-out-of-range claims line 1 first\n"));
  EXPECT_THAT(result.out, HasSubstr("1 examples of 1 rules, 0 failed, 1 claimed by another rule\n"));
}

TEST_F(RulesCommand, TestCountsKnownGapsAndSaysWhenOneIsClosed) {
  const std::string gap = kGoodRule + "    - todo: 'coil 7 went normal'\n";
  EXPECT_THAT(rules("test " + write("mine.yaml", gap)).out,
              HasSubstr("3 examples of 1 rules, 0 failed, 1 known gaps\n"));
  const std::string closed = kGoodRule + "    - todo: 'magnet quench at 1.0 K'\n";
  const Outcome result = rules("test " + write("mine.yaml", closed));
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("mine.yaml:12: mine/quench: the log of this todo matches by now"));
}

TEST_F(RulesCommand, ListsByStatusAsMarkdown) {
  const std::string path = write("mine.yaml", kGoodRule + "  status: experimental\n");
  const Outcome result = rules("list --status experimental --format md --rules " + path);
  EXPECT_EQ(result.out,
            "| rule | severity | status | what it says |\n|---|---|---|---|\n"
            "| `mine/quench` | fatal | experimental | The magnet quenched |\n");
}

TEST_F(RulesCommand, ShowsWhereARuleComesFrom) {
  const std::string mine = write("mine.yaml", kGoodRule);
  const std::string more = write("more.yaml", "- append: mine/quench\n  debug: [Look.]\n- disable: memory/gpu-oom\n");
  const Outcome grown = rules("show mine/quench --origin --rules " + mine + " --rules " + more);
  EXPECT_THAT(grown.out,
              HasSubstr("Origin, the last wins\n  " + mine + ":1: adds it\n  " + more + ":1: appends to it\n"));
  const Outcome gone = rules("show memory/gpu-oom --origin --rules " + mine + " --rules " + more);
  EXPECT_EQ(gone.status, 0);
  EXPECT_THAT(gone.out, HasSubstr(": built in\n  " + more + ":3: disables it\n"));
}

TEST_F(RulesCommand, NewDraftsARuleFromAFaultThatNoRuleKnows) {
  const std::string log =
      write("sim.log",
            "step 1\nTraceback (most recent call last):\n  File \"/home/u/run.py\", line 7, in main\n"
            "    solver.step(0.5)\nsim.Diverged: residual 3e8 after 40 steps\n");
  const Outcome result = rules("new --from " + log);
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("- id: mine/residual-after-steps\n"));
  const std::string draft = write("draft.yaml", result.out);
  EXPECT_EQ(rules("test " + draft).out, "2 examples of 1 rules, 0 failed\n");
  EXPECT_THAT(rules("lint " + draft).out, HasSubstr("[todo-text]"));
}

TEST_F(RulesCommand, NewDraftsALineRuleFromTheLineThatIsNamed) {
  const std::string log = write("lab.log", "all is well\nquench in sector 12 (it's warm)\n");
  const Outcome result = rules("new --from " + log + ":2");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("match: { line: 'quench in sector [\\d.]+ \\(it''s warm\\)' }\n"));
  EXPECT_EQ(rules("test " + write("draft.yaml", result.out)).out, "2 examples of 1 rules, 0 failed\n");
}

TEST_F(RulesCommand, NewDraftsARuleThatMatchesWhateverTheLineHolds) {
  const std::string lines[] = {"quench\tin\tsector 12",
                               "\tquench behind a tab",
                               "K\xfchlmittel ist leer",
                               "Kühlmittel ist leer",
                               "\x1b[31mquench in red\x1b[0m",
                               "2026-11-30 10:00:00 quench\r",
                               "it's {quench} \\ 'twice': \"yes\" # no"};
  for (const std::string& line : lines) {
    const Outcome result = rules("new --from " + write("lab.log", "all is well\n" + line + "\n") + ":2");
    EXPECT_EQ(rules("test " + write("draft.yaml", result.out)).out, "2 examples of 1 rules, 0 failed\n") << result.out;
  }
}

TEST_F(RulesCommand, NewDraftsASequenceOfTwoLines) {
  const std::string log = write("md.log", "step 1\nneighbour list is 97% full\nstep 2\ncoordinates are NaN\n");
  const Outcome result = rules("new --from " + log + ":2,4");
  EXPECT_THAT(result.out, HasSubstr("  match:\n"
                                    "    sequence:\n"
                                    "      - line: 'neighbour list is [\\d.]+% full'\n"
                                    "      - line: 'coordinates are NaN'\n"
                                    "    within: 10\n"));
  EXPECT_EQ(rules("test " + write("draft.yaml", result.out)).out, "2 examples of 1 rules, 0 failed\n") << result.out;
}

TEST_F(RulesCommand, NewNamesADraftWithoutItsPaths) {
  const std::string message =
      "cannot open /home/someone/projects/deep/checkpoints/latest/shard.bin for this run "
      "because the store that holds it is not mounted on the node";
  const Outcome result = rules("new --from " + write("a.log", message + "\n") + ":1");
  EXPECT_THAT(
      result.out,
      StartsWith("- id: mine/cannot-open-for-this-run\n"
                 "  title: 'TODO: cannot open shard.bin for this run because the store that holds it is not ...'\n"));
}

TEST_F(RulesCommand, NewTakesWhatAHeadingAnnouncesAndNoLinkForAnError) {
  const Outcome result = rules("new --from " + write("gmx.log",
                                                     "Reading nvt.tpr\n\nFatal error:\nno decomposition for 54 ranks\n"
                                                     "see https://example.org/#start-error\n"));
  EXPECT_THAT(result.out, HasSubstr("match: { line: 'no decomposition for [\\d.]+ ranks' }\n"));
  EXPECT_THAT(result.out, HasSubstr("- log: |\n        Fatal error:\n        no decomposition for 54 ranks\n"));
}

TEST_F(RulesCommand, NewSaysWhatIsWrongWithItsRequest) {
  const std::string log = write("ok.log", "all is well\n");
  EXPECT_THAT(rules("new --from " + log).err, HasSubstr("holds no fault that is without a rule"));
  EXPECT_THAT(rules("new --from " + log + ":9").err, HasSubstr("has 1 lines"));
  EXPECT_EQ(rules("new").status, 2);
}

TEST_F(RulesCommand, CoverageRanksTheLinesThatNoRuleExplains) {
  write("a.log", "error: flux 1 lost\nRuntimeError: CUDA error: an illegal memory access was encountered\n");
  write("b.log", "error: flux 2 lost\nerror: flux 3 lost\n0 errors\n");
  const auto json = nlohmann::json::parse(rules("coverage --format json " + folder_.path("?.log")).out);
  EXPECT_EQ(json["inputs"], 2);
  EXPECT_EQ(json["fired"]["cuda/illegal-memory-access"], 1);
  ASSERT_EQ(json["unexplained"].size(), 1U);
  EXPECT_EQ(json["unexplained"][0]["inputs"], 2);
  EXPECT_EQ(json["unexplained"][0]["count"], 3);
  EXPECT_THAT(json["unexplained"][0]["sample"].get<std::string>(), HasSubstr("a.log:1"));
  EXPECT_GT(json["silent"].size(), 100U);
}

TEST_F(RulesCommand, CoverageCountsAnExceptionAsOftenAsItCame) {
  std::string log;
  for (int i = 0; i < 3; ++i) {
    log +=
        "Traceback (most recent call last):\n  File \"run.py\", line 7, in main\n    raise Diverged('error')\n"
        "sim.Diverged: solver error at step " +
        std::to_string(i) + "\nretrying\n";
  }
  const std::string path = write("sim.log", log);
  const auto json = nlohmann::json::parse(rules("coverage --format json " + path).out);
  ASSERT_EQ(json["unexplained"].size(), 1U) << json.dump(2);
  EXPECT_EQ(json["unexplained"][0]["count"], 3);
}

TEST_F(RulesCommand, DiffTellsWhatChangedForUsers) {
  const std::string before = write("before.yaml", kGoodRule);
  std::string text = kGoodRule;
  text.replace(text.find("severity: fatal"), 15, "severity: error");
  const std::string after = write("after.yaml", text);
  const Outcome result = rules("diff " + before + " " + after + " --format md");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "- changed `mine/quench`: The magnet quenched (severity fatal -> error)\n");
  EXPECT_EQ(rules("diff " + before + " " + before).status, 0);
  EXPECT_EQ(rules("diff built-in built-in").status, 0);
}

TEST_F(RulesCommand, DiffBesideTheBuiltInSetIsWhatAFolderMakesOfIt) {
  const std::string mine =
      write("mine.yaml", kGoodRule + "- disable: driver/xid-43\n- append: memory/gpu-oom\n  debug: [Look.]\n");
  EXPECT_THAT(rules("diff built-in " + mine + " --format md").out,
              MatchesRegex("- removed `driver/xid-43`: [^\n]*\n- changed `memory/gpu-oom`: [^\n]*\\(debug\\)\n"
                           "- added `mine/quench`: The magnet quenched\n"));
}

TEST_F(RulesCommand, LintNamesEveryTodo) {
  const std::string draft =
      "- id: mine/x\n  title: 'TODO: title'\n  match: { line: 'some words here' }\n  cause: 'TODO: why'\n"
      "  fix: [{ do: 'TODO: act' }]\n";
  const auto json = nlohmann::json::parse(rules("lint --format json " + write("draft.yaml", draft)).out);
  EXPECT_EQ(std::ranges::count(json, "todo-text", [](const auto& problem) { return problem["code"]; }), 3);
}

TEST_F(RulesCommand, AFailedExampleOfAnAppendStandsWhereTheAppendStands) {
  const std::string mine =
      write("mine.yaml", "\n- append: memory/gpu-oom\n  examples: [{ log: nothing of the kind }]\n");
  EXPECT_THAT(rules("test " + mine).out, HasSubstr("mine.yaml:2: memory/gpu-oom: the log does not match"));
}

TEST_F(RulesCommand, TestRefusesAnIdThatTwoFilesHave) {
  const Outcome result = rules("test " + write("a.yaml", kGoodRule) + " " + write("b.yaml", kGoodRule));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("[duplicate-id]"));
}

TEST_F(RulesCommand, TheSchemaIsValidAndFitsTheRules) {
  const std::string command =
      "python3 " CUTOPSY_TEST_DATA "/e2e/check_schema.py " CUTOPSY_BINARY " " CUTOPSY_TEST_DATA "/../rules";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(RulesCommand, LintSaysWhenAPathCannotBeRead) {
  const Outcome result = rules("lint /nonexistent");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.out, HasSubstr("[unreadable]"));
}

TEST_F(RulesCommand, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(rules("").status, 2);
  EXPECT_THAT(rules("lnit").err, HasSubstr("did you mean 'lint'?"));
  EXPECT_EQ(rules("list --format xml").status, 2);
  EXPECT_EQ(rules("list --nope").status, 2);
  EXPECT_THAT(rules("list --family nope").err, HasSubstr("families: "));
  EXPECT_EQ(rules("show").status, 2);
  EXPECT_EQ(rules("list --rules /nonexistent").status, 2);
  EXPECT_THAT(rules("events gpu.oon").err, HasSubstr("did you mean 'gpu.oom'?"));
}

TEST_F(RulesCommand, EventsNamesKindsAndTheirFields) {
  EXPECT_THAT(rules("events").out, HasSubstr("\nkernel.xid "));
  EXPECT_THAT(rules("events 'gpu.*'").out,
              MatchesRegex("gpu\\.oom  (.|\n)* tried_to_allocate, (.|\n)*gpu\\.memory  (.|\n)*"));
}

TEST_F(RulesCommand, EveryActionHasItsOwnHelp) {
  for (std::string action : {"list", "show", "lint", "test", "new", "coverage", "events", "schema", "diff"}) {
    const Outcome result = rules(action + " --help");
    EXPECT_EQ(result.status, 0);
    EXPECT_THAT(result.out, StartsWith("usage: cutopsy rules " + action));
    EXPECT_THAT(result.err, IsEmpty());
  }
}

TEST_F(RulesCommand, HelpGoesToStandardOutput) {
  const Outcome result = rules("--help");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, StartsWith("usage: cutopsy rules ACTION"));
}

}  // namespace
}  // namespace cutopsy
