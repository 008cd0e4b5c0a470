// Each format of a report, read by what others read it with; and how reports get into files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/e2e/command.h"
#include "tests/e2e/python_tools.h"

namespace cutopsy {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr const char* kCpuOnly =
    "Traceback (most recent call last):\n"
    "  File \"train.py\", line 3, in <module>\n"
    "AssertionError: Torch not compiled with CUDA enabled\n";
constexpr const char* kOutOfMemory = "epoch 1\nRuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\nbye\n";

// A log whose lines try to be something else in every format.
constexpr const char* kHostile =
    "AssertionError: Torch not compiled with CUDA enabled\n"
    "RuntimeError: CUDA error: ]]> </failure><script>alert(1)</script> & \"q\" \x1b[31m \x01 \xff \xef\xbf\xbf "
    "%0A::error::mine ##[error]mine ``` | @everyone\n"
    "::error file=x::RuntimeError: CUDA error: device-side assert triggered\n";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class ReportFormats : public ::testing::Test {
 protected:
  ReportFormats() {
    for (int i = 1; i <= 3; ++i) folder_.write("logs/job" + std::to_string(i) + ".log", kCpuOnly);
    folder_.write("logs/job4.log", kOutOfMemory);
    folder_.write("logs/job 5%.log", kHostile);
    folder_.write("logs/fine.log", "epoch 1\nepoch 2\n");
  }

  Outcome run(const std::string& arguments) { return run_cutopsy(arguments); }
  std::string logs() const { return folder_.path("logs"); }
  std::string out(const std::string& name) const { return folder_.path(name); }

  TemporaryFolder folder_;
};

TEST_F(ReportFormats, SarifFitsItsSchema) {
  const auto tools = python_tools();
  if (!tools) GTEST_SKIP() << "pip cannot install the packages in tests/python";
  const std::string corpus = CUTOPSY_TEST_DATA "/corpus";
  run("--output sarif=" + out("many.sarif") + " " + logs());
  run("--output sarif=" + out("one.sarif") + " " + logs() + "/job4.log");
  run("--output sarif=" + out("none.sarif") + " " + logs() + "/fine.log");
  run("--output sarif=" + out("corpus.sarif") + " --context 2 --redact " + corpus);
  const std::string check = *tools + "/bin/python " CUTOPSY_TEST_DATA "/e2e/check_json_schema.py sarif ";
  EXPECT_EQ(
      shell(check + out("many.sarif") + " " + out("one.sarif") + " " + out("none.sarif") + " " + out("corpus.sarif")),
      0);
}

TEST_F(ReportFormats, SarifHasRulesWithHelpPlacesAndFingerprints) {
  const auto run_of = [&](const std::string& arguments) {
    return nlohmann::json::parse(run("--format sarif " + arguments).out)["runs"][0];
  };
  const auto sarif = run_of(logs() + "/job4.log");
  const auto& rule = sarif["tool"]["driver"]["rules"][0];
  const auto& result = sarif["results"][0];
  EXPECT_EQ(rule["id"], "memory/gpu-oom");
  EXPECT_FALSE(rule["help"]["text"].get<std::string>().empty());
  EXPECT_THAT(rule["helpUri"].get<std::string>(), HasSubstr("https://"));
  EXPECT_EQ(result["ruleId"], rule["id"]);
  EXPECT_EQ(result["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
  EXPECT_EQ(result["partialFingerprints"]["cutopsy/v1"].get<std::string>().size(), 16u);
  const auto strange = run_of("'" + logs() + "/job 5%.log'");
  EXPECT_THAT(strange["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].get<std::string>(),
              HasSubstr("job%205%25.log"));
}

TEST_F(ReportFormats, JunitFitsItsSchema) {
  const auto tools = python_tools();
  if (!tools) GTEST_SKIP() << "pip cannot install the packages in tests/python";
  if (shell("command -v xmllint >/dev/null") != 0) GTEST_SKIP() << "no xmllint (package libxml2-utils)";
  run("--output junit=" + out("many.xml") + " " + logs());
  run("--output junit=" + out("none.xml") + " " + logs() + "/fine.log");
  run("--output junit=" + out("corpus.xml") + " " CUTOPSY_TEST_DATA "/corpus");
  run("--output jsonl=" + out("many.jsonl") + " " + logs());
  run("merge --output junit=" + out("merged.xml") + " " + out("many.jsonl"));
  const std::string check = "xmllint --noout --schema " + *tools + "/junit-10.xsd ";
  for (const char* file : {"many.xml", "none.xml", "corpus.xml", "merged.xml"})
    EXPECT_EQ(shell(check + out(file) + " 2>" + out("problems")), 0) << folder_.read("problems");
}

TEST_F(ReportFormats, JunitHasATestForEachCase) {
  const std::string xml = run("--format junit " + logs()).out;
  EXPECT_THAT(xml, HasSubstr("tests=\"6\" failures=\"5\""));
  EXPECT_THAT(xml, HasSubstr("name=\"" + logs() + "/fine.log\" />"));
  EXPECT_THAT(xml, HasSubstr("type=\"memory/gpu-oom\""));
}

// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
TEST_F(ReportFormats, GithubAnnotationsAreWorkflowCommands) {
  const std::string value = "(?:[^%\\r\\n:,]|%(?:25|0D|0A|3A|2C))*";
  const RE2 command("::(error|warning|notice) (?:(?:file|line|title)=" + value + ",)*(?:file|line|title)=" + value +
                    "::(?:[^%\\r\\n]|%(?:25|0D|0A))*");
  ASSERT_TRUE(command.ok()) << command.error();
  const Outcome result = run("--format github " + logs());
  const auto lines = lines_of(result.out);
  ASSERT_THAT(lines, Not(IsEmpty()));
  for (const std::string& line : lines) EXPECT_TRUE(RE2::FullMatch(line, command)) << line;
  EXPECT_THAT(lines, Each(Not(HasSubstr("##["))));
  EXPECT_THAT(lines[0],
              HasSubstr("title=The installed PyTorch was built without CUDA (pytorch/cpu-only-build)::4 of 6 cases: "));
}

TEST_F(ReportFormats, GithubAnnotationsSayWhatIsLeftOut) {
  std::string jsonl;
  for (int i = 0; i < 30; ++i)
    jsonl += R"({"rule":"a/b)" + std::to_string(i) + R"(","title":"T","severity":"error","fingerprint":")" +
             std::to_string(i) + "\"}\n";
  folder_.write("many.jsonl", jsonl);
  const auto lines = lines_of(run("merge --format github " + out("many.jsonl")).out);
  ASSERT_THAT(lines, SizeIs(10));
  EXPECT_THAT(lines.back(), HasSubstr("and 21 more"));
}

TEST_F(ReportFormats, MarkdownKeepsTextOfTheLogText) {
  const std::string markdown = run("--format markdown " + logs()).out;
  EXPECT_THAT(markdown, HasSubstr("## cutopsy: "));
  EXPECT_THAT(markdown, HasSubstr("different faults in 6 cases"));
  EXPECT_THAT(markdown, HasSubstr("| 4 | error |"));
  EXPECT_THAT(markdown, Not(HasSubstr("\x1b")));
  bool in_code = false;
  for (const std::string& line : lines_of(markdown)) {
    if (line.starts_with("```")) in_code = !in_code;
    EXPECT_TRUE(in_code || line.find("<script") == line.npos) << line;
  }
}

TEST_F(ReportFormats, JsonLinesHoldEveryFailureAndTheStatistics) {
  folder_.write("odd.log",
                "Traceback (most recent call last):\n  File \"/w/torch/x.py\", line 1, in f\n"
                "torch.OddError: this was never seen before\n");
  std::vector<nlohmann::json> lines;
  for (const std::string& line : lines_of(run("--format jsonl --statistics " + logs()).out))
    lines.push_back(nlohmann::json::parse(line));
  ASSERT_GE(lines.size(), 6u);
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    EXPECT_EQ(lines[i]["fingerprint"].get<std::string>().size(), 16u);
    EXPECT_EQ(lines[i]["cases"], 1);
  }
  EXPECT_EQ(lines.back()["statistics"]["cases"]["total"], 6);
  EXPECT_EQ(lines.back()["statistics"]["cases"]["clean"], 1);
}

TEST_F(ReportFormats, RowsHaveTheLinesAroundTheirSample) {
  EXPECT_THAT(run(logs()).out, HasSubstr("       1  epoch 1\n  >      2  RuntimeError: CUDA out of memory."));
  const auto report = nlohmann::json::parse(run("--format json --context 1 " + logs() + "/job4.log").out);
  const auto& context = report["incidents"][0]["context"];
  ASSERT_THAT(context, SizeIs(3));
  EXPECT_EQ(context[2]["line"], 3);
  EXPECT_EQ(context[2]["text"], "bye");
}

TEST_F(ReportFormats, OneFaultOfManyCasesIsOneRow) {
  const std::string text = run(logs()).out;
  EXPECT_THAT(text, HasSubstr("== 4 of 6 cases: "));
  EXPECT_THAT(text, HasSubstr(" and 1 more =="));
  const auto groups = nlohmann::json::parse(run("--format json " + logs()).out)["groups"];
  EXPECT_EQ(groups[0]["rule"], "pytorch/cpu-only-build");
  EXPECT_EQ(groups[0]["cases"], 4);
}

TEST_F(ReportFormats, StatisticsCloseTheText) {
  EXPECT_THAT(run("--statistics " + logs()).out, HasSubstr("6 cases: 5 failure, 1 clean\n"));
}

TEST_F(ReportFormats, RedactionReachesEveryFormat) {
  folder_.write("private.log", "RuntimeError: CUDA error: out of memory in /home/jane/job by jane@example.org\n");
  for (const char* format : {"text", "json", "jsonl", "sarif", "junit", "github", "markdown"}) {
    const std::string report = run("--redact --format " + std::string(format) + " " + out("private.log")).out;
    EXPECT_THAT(report, HasSubstr("out of memory")) << format;
    EXPECT_THAT(report, Not(HasSubstr("jane"))) << format;
  }
}

TEST_F(ReportFormats, ABaselineDecidesOnlyTheExitStatus) {
  run("--output jsonl=" + out("known.jsonl") + " --output json=" + out("known.json") + " " + logs() + "/job1.log");
  for (const char* baseline : {"known.jsonl", "known.json"}) {
    const Outcome known = run("--baseline " + out(baseline) + " " + logs() + "/job2.log");
    EXPECT_EQ(known.status, 0) << known.err;
    EXPECT_THAT(known.out, HasSubstr("known from the baseline"));
    EXPECT_EQ(run("--baseline " + out(baseline) + " " + logs() + "/job4.log").status, 1);
  }
  const auto sarif = nlohmann::json::parse(run("--format sarif --baseline " + out("known.jsonl") + " " + logs()).out);
  EXPECT_EQ(sarif["runs"][0]["results"][0]["baselineState"], "unchanged");
}

TEST_F(ReportFormats, ABaselineThatIsNoneIsRefused) {
  EXPECT_EQ(run("--baseline " + out("none") + " " + logs()).status, 2);
  const Outcome result = run("--baseline " + logs() + "/job1.log " + logs());
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("no report of cutopsy"));
}

TEST_F(ReportFormats, FilesAreWrittenBesideTheReport) {
  const Outcome result =
      run("--output json=" + out("a.json") + " --output text=" + out("a.txt") + " " + logs() + "/job4.log");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(folder_.read("a.txt"), result.out);
  EXPECT_EQ(nlohmann::json::parse(folder_.read("a.json"))["outcome"], "failure");
}

TEST_F(ReportFormats, AFullDiskLeavesNoHalfFileAndIsSaid) {
  folder_.write("report.json", "the old one");
  // A limit on the size of files stands for the full disk; a pipe has none.
  shell("bash -c '(trap \"\" XFSZ; ulimit -f 1; " CUTOPSY_BINARY " --format json --output json=" + out("report.json") +
        " " + logs() + " 2>" + out("err") + ") | cat' >" + out("piped"));
  EXPECT_EQ(folder_.read("report.json"), "the old one");
  EXPECT_THAT(folder_.read("err"), HasSubstr("report.json: File too large; nothing was written there"));
  EXPECT_EQ(nlohmann::json::parse(folder_.read("piped"))["outcome"], "failure");
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_NE(entry.path().extension(), ".part");
}

TEST_F(ReportFormats, AFileThatCannotBeWrittenMakesTheStatusTwo) {
  const Outcome result = run("--output json=" + out("no/such/folder.json") + " " + logs() + "/job4.log");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("No such file or directory"));
  EXPECT_THAT(result.out, HasSubstr("memory/gpu-oom"));
}

TEST_F(ReportFormats, AWrongOutputIsRefusedBeforeAnythingIsRead) {
  EXPECT_THAT(run("--output report.json " + logs()).err, HasSubstr("--output sarif=report.sarif"));
  EXPECT_EQ(run("--output pdf=" + out("x") + " " + logs()).status, 2);
  EXPECT_EQ(run("--follow --output json=" + out("x") + " " + logs() + "/job1.log").status, 2);
  EXPECT_EQ(run("--redact --follow " + logs() + "/job1.log").status, 2);
}

TEST_F(ReportFormats, NoReportOverwritesALogOrAnotherReport) {
  const std::string log = logs() + "/job4.log";
  EXPECT_EQ(run("--output json=" + log + " " + log).status, 2);
  EXPECT_EQ(run("run --log " + log + " --output json=" + log + " -- true").status, 2);
  EXPECT_EQ(folder_.read("logs/job4.log"), kOutOfMemory);
  EXPECT_EQ(run("--output json=" + out("x") + " --output sarif=" + out("x") + " " + log).status, 2);
  EXPECT_THAT(run("--output json=- " + log).err, HasSubstr("--format"));
}

TEST_F(ReportFormats, AClosedPipeIsNoError) {
  const int status = shell("bash -c '" CUTOPSY_BINARY " --format json " CUTOPSY_TEST_DATA
                           "/corpus 2>/dev/null | head -c 10 >/dev/null; exit ${PIPESTATUS[0]}'");
  EXPECT_EQ(status, 128 + SIGPIPE);
}

TEST_F(ReportFormats, RunWritesFilesOfASuccessToo) {
  const Outcome result = run("run --output json=" + out("run.json") + " -- true");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(nlohmann::json::parse(folder_.read("run.json"))["outcome"], "clean");
}

TEST(CiExamples, FitTheSchemasOfTheirSystems) {
  const auto tools = python_tools();
  if (!tools) GTEST_SKIP() << "pip cannot install the packages in tests/python";
  const std::string check = *tools + "/bin/python " CUTOPSY_TEST_DATA "/e2e/check_json_schema.py ";
  const std::string examples = CUTOPSY_TEST_DATA "/../.ci/examples/";
  EXPECT_EQ(shell(check + "github-workflow " + examples + "github.yml"), 0);
  EXPECT_EQ(shell(check + "gitlab-ci " + examples + "gitlab.yml"), 0);
}

}  // namespace
}  // namespace cutopsy
