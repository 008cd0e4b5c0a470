// `cutopsy merge`: reports of many runs become one, whatever their order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/e2e/command.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Merge : public ::testing::Test {
 protected:
  Merge() {
    const std::string cpu_only = "AssertionError: Torch not compiled with CUDA enabled\n";
    for (const char* name : {"1", "2", "3"}) log(name, "2026-01-0" + std::string(name) + "T00:00:00Z " + cpu_only);
    log("4", "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n");
  }

  void log(const std::string& name, const std::string& text) {
    const std::string path = folder_.write(name + ".log", text);
    run_cutopsy("--statistics --output jsonl=" + folder_.path(name + ".jsonl") + " " + path);
  }
  std::string files(const std::string& names) const {
    std::string arguments;
    for (const char name : names) arguments += " " + folder_.path(std::string(1, name) + ".jsonl");
    return arguments;
  }
  std::string merged(const std::string& arguments) const { return run_cutopsy("merge " + arguments).out; }

  TemporaryFolder folder_;
};

TEST_F(Merge, AddsUpTheCasesOfAFault) {
  const std::string lines = merged(files("1234"));
  const auto first = nlohmann::json::parse(lines.substr(0, lines.find('\n')));
  EXPECT_EQ(first["rule"], "pytorch/cpu-only-build");
  EXPECT_EQ(first["cases"], 3);
  EXPECT_EQ(first["first_seen"], "2026-01-01T00:00:00Z");
  EXPECT_EQ(first["last_seen"], "2026-01-03T00:00:00Z");
}

TEST_F(Merge, GivesTheSameBytesInAnyOrderAndGrouping) {
  const std::string all = merged("--statistics" + files("1234"));
  EXPECT_EQ(merged("--statistics" + files("4231")), all);
  folder_.write("a.jsonl", merged("--statistics" + files("31")));
  folder_.write("b.jsonl", merged("--statistics" + files("42")));
  EXPECT_EQ(merged("--statistics" + files("ba")), all);
  EXPECT_THAT(all, HasSubstr("{\"statistics\":{\"cases\":{\"total\":4,"));
}

TEST_F(Merge, EqualsOneRunOverAllLogs) {
  folder_.write("all.jsonl", run_cutopsy("--separate --format jsonl " + folder_.path("1.log") + " " +
                                         folder_.path("2.log") + " " + folder_.path("4.log"))
                                 .out);
  EXPECT_EQ(merged(folder_.path("all.jsonl")), merged(files("124")));
}

TEST_F(Merge, WritesEveryFormat) {
  EXPECT_THAT(merged("--format text" + files("1234")), HasSubstr("== 3 of 4 cases: "));
  EXPECT_EQ(nlohmann::json::parse(merged("--format json" + files("1234")))["groups"][0]["cases"], 3);
  EXPECT_THAT(merged("--format markdown" + files("1234")), HasSubstr("| 3 | error |"));
  EXPECT_THAT(merged("--format github" + files("1234")), HasSubstr("::error file="));
}

TEST_F(Merge, FailsWhenAskedToAndNotForWhatIsKnown) {
  EXPECT_EQ(run_cutopsy("merge" + files("14")).status, 0);
  EXPECT_EQ(run_cutopsy("merge --fail-on error" + files("14")).status, 1);
  EXPECT_EQ(run_cutopsy("merge --fail-on error --baseline" + files("4") + files("4")).status, 0);
}

TEST_F(Merge, NamesTheLineThatIsNoneAndMergesTheRest) {
  folder_.write("torn.jsonl", folder_.read("1.jsonl") + "\n{\"rule\": \"a/b\", \"fing\n[1]\n{\"x\": 1}\n");
  const Outcome result = run_cutopsy("merge " + folder_.path("torn.jsonl") + " " + folder_.path("missing.jsonl"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("torn.jsonl:4: is no line of JSON"));
  EXPECT_THAT(result.err, HasSubstr("torn.jsonl:5: holds a JSON array, not an incident"));
  EXPECT_THAT(result.err, HasSubstr("torn.jsonl:6: is no line that cutopsy --format jsonl writes"));
  EXPECT_THAT(result.err, HasSubstr("missing.jsonl"));
  EXPECT_THAT(result.out, HasSubstr("pytorch/cpu-only-build"));
}

TEST_F(Merge, TellsOfAFileThatIsNoReportInAFewLines) {
  std::string log;
  for (int i = 0; i < 1000; ++i) log += "step " + std::to_string(i) + "\n";
  folder_.write("train.log", log);
  const Outcome result = run_cutopsy("merge " + folder_.path("train.log"));
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("train.log: 995 more lines like these"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 6);
}

TEST_F(Merge, TrustsNoLine) {
  std::string deep = "{\"fingerprint\":\"1\",\"rule\":\"a/b\",\"x\":";
  deep += std::string(100000, '[') + std::string(100000, ']') + "}\n";
  folder_.write("odd.jsonl", deep +
                                 "{\"fingerprint\":\"2\",\"rule\":\"a/\\u001b[31m\",\"title\":\"\\u001b]0;x\\u0007\","
                                 "\"where\":7,\"evidence\":[1,{\"text\":[]}],\"count\":-3,\"cases\":1e300}\n");
  for (const char* format : {"text", "json", "jsonl", "sarif", "junit", "github", "markdown"}) {
    const Outcome result = run_cutopsy("merge --format " + std::string(format) + " " + folder_.path("odd.jsonl"));
    EXPECT_EQ(result.status, 2) << format;
    EXPECT_THAT(result.err, HasSubstr("odd.jsonl:1: is no line of JSON")) << format;
    EXPECT_THAT(result.out, Not(HasSubstr("\x1b"))) << format;
    EXPECT_THAT(result.out, HasSubstr("a/")) << format;
  }
}

TEST_F(Merge, OfNothingIsNothing) {
  folder_.write("empty.jsonl", "");
  EXPECT_EQ(merged(folder_.path("empty.jsonl")), "");
  EXPECT_EQ(merged("--format text " + folder_.path("empty.jsonl")), "No failure found.\n");
}

}  // namespace
}  // namespace cutopsy
