// The binary as its users run it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/e2e/command.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Cli : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const { return folder_.write(name, text); }

  // Runs `cutopsy ARGUMENTS` through a shell; `before` may pipe something into it.
  static Outcome run(const std::string& arguments, const std::string& before = "") {
    return run_cutopsy(arguments, "", before);
  }

  const TemporaryFolder folder_;
};

constexpr const char* kCpuOnly =
    "Traceback (most recent call last):\n"
    "  File \"train.py\", line 3, in <module>\n"
    "    model.cuda()\n"
    "  File \"/opt/venv/lib/python3.11/site-packages/torch/cuda/__init__.py\", line 239, in _lazy_init\n"
    "    raise AssertionError(\"Torch not compiled with CUDA enabled\")\n"
    "AssertionError: Torch not compiled with CUDA enabled\n";

TEST_F(Cli, DiagnosesAPipedLogAndFails) {
  auto result = run("", "cat " + write("train.log", kCpuOnly) + " | ");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("pytorch/cpu-only-build"));
  EXPECT_THAT(result.out, HasSubstr("What to do"));
  EXPECT_THAT(result.err, IsEmpty());
}

TEST_F(Cli, SaysInOneLineThatALogIsHealthy) {
  auto result = run(write("ok.log", "step 1 loss 0.5\nstep 2 loss 0.4\n"));
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "No failure found in 2 lines.\n");
}

TEST_F(Cli, SaysWhereRanksDoNotAgree) {
  const std::string log = write("train.log", std::string("[rank0]: NCCL version 2.21.5+cuda12.4\n"
                                                         "[rank1]: NCCL version 2.20.5+cuda12.4\n") +
                                                 kCpuOnly);
  EXPECT_THAT(run(log).out, HasSubstr("nccl_version: 2.21.5 (rank 0), 2.20.5 (rank 1)"));
  const auto report = nlohmann::json::parse(run("--format json " + log).out);
  EXPECT_EQ(report["facts"]["nccl_version"], "2.21.5");
  const auto& values = report["facts_differ"]["nccl_version"];
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[1]["value"], "2.20.5");
  EXPECT_EQ(values[1]["where"]["line"], 2);
  EXPECT_EQ(values[1]["ranks"], nlohmann::json::array({"1"}));
}

TEST_F(Cli, ReportsTheOtherInputsWhenOneIsMissing) {
  auto result = run("--format json " + write("train.log", kCpuOnly) + " /no/such/file");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("/no/such/file: No such file or directory"));
  EXPECT_EQ(nlohmann::json::parse(result.out)["incidents"][0]["rule"], "pytorch/cpu-only-build");
}

TEST_F(Cli, TakesEachLogOfAFolderForACase) {
  std::filesystem::create_directories(folder_.path("runs/model"));
  write("runs/a.log", kCpuOnly);
  write("runs/b.log", "step 1\n");
  write("runs/model/weights.bin", std::string(64, '\x01'));
  auto result = run("--format json " + folder_.path("runs"));
  EXPECT_EQ(result.status, 1);
  auto report = nlohmann::json::parse(result.out);
  ASSERT_EQ(report["cases"].size(), 2u);
  EXPECT_EQ(report["cases"][0]["outcome"], "failure");
  EXPECT_EQ(report["cases"][1]["outcome"], "clean");
  EXPECT_EQ(report["incidents"][0]["case"], 0);
  EXPECT_EQ(report["skipped"]["binary"], 1);
  EXPECT_THAT(result.err, HasSubstr("skipped in folders and archives: 1 binary"));
  EXPECT_EQ(nlohmann::json::parse(run("--format json --together " + folder_.path("runs")).out).count("cases"), 0u);
}

TEST_F(Cli, NamesTheLogsOfEachCaseAndCountsTheOthers) {
  std::filesystem::create_directories(folder_.path("runs"));
  write("runs/a.log", kCpuOnly);
  write("runs/b.log", "step 1\n");
  auto result = run(folder_.path("runs"));
  EXPECT_THAT(result.out, HasSubstr("runs/a.log ==\n"));
  EXPECT_THAT(result.out, HasSubstr("2 cases, 1 of them without a finding."));
  EXPECT_THAT(result.out, Not(HasSubstr("b.log")));
}

TEST_F(Cli, SaysThatAFolderHoldsNoLog) {
  std::filesystem::create_directories(folder_.path("empty"));
  auto result = run(folder_.path("empty"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("holds no log"));
  EXPECT_THAT(result.out, IsEmpty());
}

TEST_F(Cli, RefusesContradictingGroupings) {
  EXPECT_EQ(run("--together --separate " + write("a.log", "x\n")).status, 2);
}

TEST_F(Cli, NamesTheMistakeInARuleFile) {
  auto rules = write("mine.yaml", "- id: mine/broken\n  titel: Wrong key\n");
  auto result = run("--rules " + rules + " " + write("train.log", kCpuOnly));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("mine.yaml:2:3"));
  EXPECT_THAT(result.err, HasSubstr("title"));
}

TEST_F(Cli, RefusesUnknownOptionsAndValues) {
  EXPECT_EQ(run("--colour always x").status, 2);
  auto result = run("--format xml " + write("ok.log", "x\n"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("'xml' is not one of text, json, jsonl"));
}

TEST_F(Cli, FailOnMovesTheThreshold) {
  auto log = write("train.log", kCpuOnly);
  EXPECT_EQ(run("--fail-on never " + log).status, 0);
  EXPECT_EQ(run("--fail-on warning " + log).status, 1);
}

TEST_F(Cli, NeverSendsControlCharactersOfTheLogToTheTerminal) {
  auto log =
      write("evil.log", "RuntimeError: CUDA out of memory. \x1b]0;owned\x07 Tried to allocate 2.00 GiB \x1b[2J\n");
  auto result = run("--color never " + log);
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(result.out, Not(HasSubstr("\x07")));
}

TEST_F(Cli, ColoursOnlyWhenAsked) {
  auto log = write("train.log", kCpuOnly);
  EXPECT_THAT(run(log).out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run("--color always " + log).out, HasSubstr("\x1b["));
}

TEST_F(Cli, ReadsBinaryDataWithoutAWord) {
  auto result = run("--fail-on never --format json /bin/true /bin/ls");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(nlohmann::json::parse(result.out)["inputs"].size(), 2u);
}

TEST_F(Cli, FindsTheFaultAfterAnEndlessLine) {
  auto result = run("--format json",
                    "{ head -c 50000000 /dev/zero | tr '\\0' x; printf '\\nAssertionError: Torch not compiled with "
                    "CUDA enabled\\n'; } | ");
  EXPECT_EQ(result.status, 1) << result.err;
  auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["incidents"][0]["rule"], "pytorch/cpu-only-build");
  EXPECT_EQ(report["incidents"][0]["where"]["line"], 2);
}

TEST_F(Cli, KeepsToItsMemoryWhateverAPipeBrings) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer's own memory counts";
#endif
  const char* generators[] = {
      // An unfinished traceback, then a line that comes again and again.
      "{ echo '[rank0]: Traceback (most recent call last):'; yes '[rank1]: step 1 loss 0.5' | head -c 150000000; } | ",
      // Errors, processes and versions that never come again.
      "awk 'BEGIN { for (i = 0; i < 50000; ++i) { s = \"\"; for (n = i; n > 0; n = int(n / 26)) s = s sprintf(\"%c\", "
      "97 + "
      "n % 26); printf \"(Worker pid=%d) RuntimeError: no kernel for %s\\nnode%d: Driver Version: %d.1\\n\", i, s, i, "
      "i } "
      "}' | ",
      // A line without an end.
      "yes 'RuntimeError: ' | head -c 30000000 | tr '\\n' ' ' | "};
  for (const char* generator : generators) EXPECT_EQ(run("--fail-on never", generator).status, 0) << generator;
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  EXPECT_LT(usage.ru_maxrss, 96 * 1024);
}

TEST_F(Cli, SaysThatTheReportCouldNotBeWritten) {
  auto log = write("train.log", kCpuOnly);
  int status = std::system((std::string(CUTOPSY_BINARY) + " " + log + " >/dev/full 2>" + folder_.path("err")).c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_THAT(folder_.read("err"), HasSubstr("could not be written"));
}

TEST_F(Cli, EndsQuietlyWhenNobodyReadsOn) {
  const std::string err = folder_.path("err");
  const std::string command = "bash -c 'set -o pipefail; " CUTOPSY_BINARY " rules show \"*\" 2>" + err + " | true'";
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 128 + SIGPIPE);
  EXPECT_THAT(folder_.read("err"), IsEmpty());
  const std::string both = "bash -c 'set -o pipefail; " CUTOPSY_BINARY " rules show \"*\" 2>&1 | true'";
  EXPECT_EQ(WEXITSTATUS(std::system(both.c_str())), 128 + SIGPIPE);
}

TEST_F(Cli, SaysThatHelpAndVersionCouldNotBeWritten) {
  for (const std::string option : {"--help", "--version"}) {
    EXPECT_EQ(shell(CUTOPSY_BINARY " " + option + " >/dev/full 2>" + folder_.path("err")), 2);
    EXPECT_THAT(folder_.read("err"), HasSubstr("could not be written"));
  }
}

TEST_F(Cli, PrintsItsVersion) {
  EXPECT_THAT(run("--version").out, HasSubstr("cutopsy 0."));
}

}  // namespace
}  // namespace cutopsy
