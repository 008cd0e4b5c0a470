// Ctrl-C and kill while the machine is asked: the report so far comes, and no child stays.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/e2e/running_command.h"

namespace cutopsy {
namespace {

using testing::HasSubstr;

constexpr const char* kHangs = "[gpu 0]\nhang = cuCtxSynchronize\n";
constexpr const char* kCuda = "libcuda.so.1";

TEST(Interrupt, EndsCheckWithTheReportOfWhatWasAsked) {
  const SimulatedMachine machine(kHangs);
  RunningCommand check(machine, {"check", "--format", "json", "driver-library", "context-smoke", "launch-limits"});
  const pid_t child = check.child_with(kCuda);
  ASSERT_GT(child, 0);
  const auto children = children_of(check.pid());
  kill(check.pid(), SIGINT);
  EXPECT_EQ(check.end(), 128 + SIGINT);
  for (const pid_t one : children) EXPECT_TRUE(wait_until([&] { return is_gone(one); })) << one;
  EXPECT_THAT(check.err(), HasSubstr("interrupted"));
  const auto report = nlohmann::json::parse(check.out(), nullptr, false);
  ASSERT_EQ(report["checks"].size(), 3U) << check.out();
  EXPECT_EQ(report["checks"][0]["answer"], "no");
  for (const int unasked : {1, 2}) {
    EXPECT_EQ(report["checks"][unasked]["doubt"], "could-not-run");
    EXPECT_THAT(report["checks"][unasked]["detail"].get<std::string>(), HasSubstr("interrupted"));
  }
}

TEST(Interrupt, LeavesIgnoredSignalsIgnored) {
  const SimulatedMachine machine(kHangs);
  RunningCommand check(machine, {"check", "context-smoke"}, SIGINT);
  ASSERT_GT(check.child_with(kCuda), 0);
  kill(check.pid(), SIGINT);
  kill(check.pid(), SIGTERM);
  EXPECT_EQ(check.end(), 128 + SIGTERM);
}

TEST(Interrupt, EndsTheConfirmingOfRunButNotItsDiagnosis) {
  const SimulatedMachine machine(kHangs);
  RunningCommand run(machine,
                     {"run", "--confirm", "--", "sh", "-c",
                      "echo 'RuntimeError: CUDA error: unspecified launch failure' >&2; exit 7"});
  const pid_t child = run.child_with(kCuda);
  ASSERT_GT(child, 0) << run.err();
  kill(run.pid(), SIGINT);
  EXPECT_EQ(run.end(), 7);
  EXPECT_TRUE(wait_until([&] { return is_gone(child); }));
  EXPECT_THAT(run.err(), HasSubstr("interrupted"));
  EXPECT_THAT(run.err(), HasSubstr("\n  cuda/launch-failure, "));
}

TEST(Interrupt, EndsTheInterpreterThatIsAskedForItsTorch) {
  const SimulatedMachine machine(kHangs);
  const std::string python = machine.folder().write("python", "#!/bin/sh\nexec sleep 60\n");
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  RunningCommand check(machine, {"check", "torch-build", "--python", python});
  ASSERT_TRUE(wait_until([&] { return !children_of(check.pid()).empty(); }));
  const pid_t interpreter = children_of(check.pid()).front();
  kill(check.pid(), SIGTERM);
  EXPECT_EQ(check.end(), 128 + SIGTERM);
  EXPECT_TRUE(wait_until([&] { return is_gone(interpreter); }));
}

}  // namespace
}  // namespace cutopsy
