// The list of event kinds in CONTRIBUTING.md is that of the parsers.
#include "parsers/event_kinds.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace cutopsy {
namespace {

TEST(EventKinds, AreListedForAuthorsOfRules) {
  std::string rows;
  for (const EventKind& kind : event_kinds()) rows += fmt::format("    {:24}  {}\n", kind.name, kind.meaning);
  std::ifstream file(CUTOPSY_TEST_DATA "/../CONTRIBUTING.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), ::testing::HasSubstr("\n\n" + rows + "\n"))
      << "put what `cutopsy rules events` prints, indented by four, into CONTRIBUTING.md";
}

}  // namespace
}  // namespace cutopsy
