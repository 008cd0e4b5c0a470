// How deep wrappings may nest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "parsers/envelope/stripper.h"

namespace cutopsy {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(std::string_view raw) {
  Stripper stripper;
  std::vector<std::string> result;
  stripper.strip(raw, {}, [&](const Line& line) { result.emplace_back(line.text); });
  return result;
}

TEST(Stripper, TakesOffSoManyWrappings) {
  std::string label;
  for (int i = 0; i < Stripper::kMaxNesting; ++i) label += "[rank" + std::to_string(i) + "]: ";
  EXPECT_THAT(texts(label + "x"), ElementsAre("x"));
  EXPECT_THAT(texts("(pid=1) " + label + "x"), ElementsAre("[rank11]: x"));
}

TEST(Stripper, ReadsJsonInsideJsonOnce) {
  const std::string inner = R"({\"time\":\"2026-11-30T10:00:00Z\",\"level\":\"error\",\"msg\":\"boom\"})";
  EXPECT_THAT(texts(R"({"time":"2026-11-30T10:00:00Z","log":")" + inner + "\"}"), ElementsAre("boom"));
  const std::string innermost =
      R"({\"time\":\"1\",\"log\":\"{\\\"time\\\":\\\"2026-11-30T10:00:00Z\\\",\\\"log\\\":\\\"boom\\\"}\"})";
  EXPECT_THAT(texts(R"({"time":"2026-11-30T10:00:00Z","log":")" + innermost + "\"}"),
              ElementsAre(R"({"time":"2026-11-30T10:00:00Z","log":"boom"})"));
}

TEST(Stripper, CutsNamesThatAJsonObjectGives) {
  const std::string host(60'000, 'h');
  Stripper stripper;
  stripper.strip(R"({"time":"2026-11-30T10:00:00Z","host":")" + host + R"(","msg":"boom"})", {},
                 [](const Line& line) { EXPECT_EQ(line.envelope.host.size(), 256u); });
}

}  // namespace
}  // namespace cutopsy
