#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/e2e/command.h"

namespace cutopsy {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A file that takes more than a second.
constexpr const char* kSlow = "--no-scan --jobs 1 ";
std::string large_log(const TemporaryFolder& folder) {
  std::string text;
  while (text.size() < 300'000) text += "{'loss': 0.5, 'epoch': " + std::to_string(text.size()) + "}\n";
  return folder.write("large.log", text);
}

TEST(ProgressBar, ShowsShareRateAndTimeLeftOnATerminal) {
  const TemporaryFolder folder;
  const std::string command = std::string(CUTOPSY_BINARY) + " " + kSlow + large_log(folder);
  ASSERT_EQ(shell("TERM=xterm script -qec '" + command + "' /dev/null >" + folder.path("out") + " </dev/null"), 0);
  const std::string out = folder.read("out");
  EXPECT_THAT(out, AllOf(HasSubstr("\r\x1b[K[#"), HasSubstr("B/s"), HasSubstr(" left")));
  EXPECT_THAT(out.substr(out.rfind("\x1b[K")), HasSubstr("No failure found")) << "the report follows the wiped bar";
}

TEST(ProgressBar, WritesNothingWhereNobodyLooks) {
  const TemporaryFolder folder;
  EXPECT_THAT(run_cutopsy(kSlow + large_log(folder)).err, IsEmpty());
}

}  // namespace
}  // namespace cutopsy
