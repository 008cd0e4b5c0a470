#include "engine/report/runner_commands.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace cutopsy {
namespace {

TEST(RunnerCommands, AreBrokenWhereARunnerLooksForThem) {
  EXPECT_EQ(without_commands("  ::error::x\n::add-mask::y", kInText), "  : :error::x\n: :add-mask::y");
  EXPECT_EQ(without_commands("a ##vso[task.setvariable variable=x]y ##[error]z", kInText),
            "a # #vso[task.setvariable variable=x]y # #[error]z");
  EXPECT_EQ(without_commands("##teamcity[x]", kInXml), "&#35;#teamcity[x]");
}

TEST(RunnerCommands, LeaveOtherTextAsItIs) {
  const std::string text = "## Heading\nstd::vector ##x # a[0]\n a::b";
  EXPECT_EQ(without_commands(text, kInText), text);
}

TEST(RunnerCommands, MeanTheSameInJson) {
  const nlohmann::json json = {{"##[a]", "##vso[b]"}};
  const std::string text = without_commands(json.dump(), kInJson);
  EXPECT_EQ(text.find("##"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text), json);
}

}  // namespace
}  // namespace cutopsy
