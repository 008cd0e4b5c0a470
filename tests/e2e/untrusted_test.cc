// Log text, names and rule files are untrusted: what they must not reach. SECURITY.md promises it.
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

constexpr const char* kFormats[] = {"text", "json", "jsonl", "sarif", "junit", "github", "markdown"};

constexpr const char* kHostileRule = R"(
- id: mine/hostile
  title: "red \x1b[31m ##vso[task.complete] <b>t</b>"
  severity: error
  match: { line: 'licence checkout failed: (?P<reason>.+)' }
  cause: "{reason}"
  fix: [ { do: "x \x1b]0;own\x07", run: "echo \x1b[31m" } ]
  debug: [ "d \x1b[31m" ]
  prevent: "p \x1b[31m"
  references: [ "https://wiki.example.org/\x1b[31m", "https://x> <script>y</script>" ]
  examples: [ { log: "licence checkout failed: \x1b[31m" }, { not: "licence" } ]
)";

constexpr const char* kHostileLog =
    "solver: licence checkout failed: ::add-mask::x \x1b]0;own\x07 <script>alert(1)</script> ##vso[task.setvariable "
    "variable=PATH]x [l](javascript:x) ]]> &amp; `tick` | @me\n";

bool has_control(const std::string& text) {
  return std::any_of(text.begin(), text.end(),
                     [](unsigned char c) { return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f; });
}

class Untrusted : public ::testing::Test {
 protected:
  Untrusted() {
    folder_.write("hostile.yaml", kHostileRule);
    folder_.write("hostile.log", kHostileLog);
  }

  Outcome run(const std::string& arguments) const {
    return run_cutopsy(arguments + " --rules " + folder_.path("hostile.yaml"));
  }

  const TemporaryFolder folder_;
};

TEST_F(Untrusted, TextReachesNoTerminalAndNoRunner) {
  for (const char* format : kFormats) {
    const Outcome result =
        run(std::string("--why --context 1 --color never --format ") + format + " " + folder_.path("hostile.log"));
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_FALSE(has_control(result.out)) << format << result.out;
    EXPECT_THAT(result.out, Not(HasSubstr("##vso["))) << format;
    EXPECT_THAT(result.out, Not(HasSubstr("\n::add-mask::"))) << format;
    EXPECT_THAT(result.out, Not(HasSubstr("  ::add-mask::"))) << format;
  }
}

TEST_F(Untrusted, TextIsNoMarkup) {
  const std::string log = folder_.path("hostile.log");
  EXPECT_THAT(run("--format junit " + log).out, Not(HasSubstr("<script>")));
  const std::string markdown = run("--format markdown " + log).out;
  EXPECT_THAT(markdown, HasSubstr("&lt;script\\>alert\\(1\\)&lt;/script\\>"));
  EXPECT_THAT(markdown, Not(HasSubstr("<script>y")));
  EXPECT_THAT(markdown, HasSubstr("\\[l\\]\\(javascript:x\\)"));
  const auto sarif = nlohmann::json::parse(run("--format sarif " + log).out);
  EXPECT_THAT(sarif["runs"][0]["results"][0]["message"]["text"], Not(HasSubstr("](javascript")));
}

TEST_F(Untrusted, JsonMeansTheSame) {
  const auto report = nlohmann::json::parse(run("--format json " + folder_.path("hostile.log")).out);
  EXPECT_THAT(report["incidents"][0]["fields"]["reason"], HasSubstr("##vso[task.setvariable variable=PATH]x"));
}

TEST_F(Untrusted, RulesReachNoTerminal) {
  for (const char* command : {"rules list", "rules show mine/hostile", "rules show --origin mine/hostile",
                              "explain mine/hostile", "rules coverage nothing.log", "--live -"}) {
    const Outcome result = run(command);
    EXPECT_FALSE(has_control(result.out)) << command;
    EXPECT_FALSE(has_control(result.err)) << command;
  }
  EXPECT_FALSE(has_control(run_cutopsy("rules diff built-in " + folder_.path("hostile.yaml")).out));
  EXPECT_FALSE(has_control(run_cutopsy("rules test " + folder_.path("hostile.yaml")).out));
}

TEST_F(Untrusted, YamlOfARuleFileIsBounded) {
  std::string bomb = "a: &a [x]\n";
  for (char c = 'b'; c < 'j'; ++c) {
    bomb += std::string(1, c) + ": &" + c + " [";
    for (int i = 0; i < 9; ++i) bomb += std::string("*") + static_cast<char>(c - 1) + ",";
    bomb += "]\n";
  }
  const struct {
    std::string yaml;
    const char* code;
  } texts[] = {{bomb, "[alias]"},
               {std::string(100'000, '['), "[too-deep]"},
               {std::string(2 << 20, ' '), "[too-large]"},
               {"[" + std::string(1 << 19, ',') + "]", "[too-large]"},
               {"- " + std::string(100, '-'), "["}};
  for (const auto& text : texts) {
    folder_.write("hostile.yaml", text.yaml);
    const Outcome result = run(folder_.path("hostile.log"));
    EXPECT_EQ(result.status, 2) << text.code;
    EXPECT_THAT(result.err, HasSubstr(text.code));
  }
}

TEST_F(Untrusted, JsonOfALogAndOfAReportIsBounded) {
  const std::string deep = folder_.write("deep.json", "{\"a\":" + std::string(1 << 20, '[') + "\n");
  EXPECT_EQ(run(deep).status, 0);
  EXPECT_THAT(run("merge " + deep).err, HasSubstr("no line of JSON"));
  EXPECT_THAT(run("--baseline " + deep + " " + deep).err, HasSubstr("no report of cutopsy"));
}

TEST_F(Untrusted, NamesOfArchiveMembersLeadNowhere) {
  const std::string zip = folder_.path("x.zip");
  ASSERT_EQ(shell("cd " + folder_.path("") +
                  " && python3 -c \"import zipfile; z = zipfile.ZipFile('x.zip', 'w'); "
                  "z.write('hostile.log', '../../../tmp/out.log')\""),
            0);
  const Outcome result = run("--format json " + zip);
  EXPECT_THAT(result.out, HasSubstr("x.zip/tmp/out.log"));
  EXPECT_THAT(result.out, Not(HasSubstr("..")));
}

}  // namespace
}  // namespace cutopsy
