// Samples: Cloud Logging's LogEntry (https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry), Fluent Bit's
// json_lines output, journalctl -o json.
#include "parsers/envelope/json_line.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

JsonLine read(std::string_view text) {
  JsonLine line;
  EXPECT_TRUE(read_json_line(text, line)) << text;
  return line;
}

TEST(JsonLine, TheSeverityOfAStreamIsNotTheMessages) {
  const JsonLine line = read(R"({"severity":"INFO","textPayload":"x","timestamp":"2026-11-30T10:00:00Z"})");
  EXPECT_EQ(line.message, "x");
  EXPECT_EQ(line.envelope.level, "");
}

TEST(JsonLine, ALoggersLevelIsTheMessages) {
  EXPECT_EQ(read(R"({"level":"info","msg":"x"})").envelope.level, "info");
}

TEST(JsonLine, AKernelMessageKeepsItsPriority) {
  const JsonLine line = read(R"({"MESSAGE":"x","PRIORITY":"3","_TRANSPORT":"kernel"})");
  EXPECT_TRUE(line.envelope.kernel);
  EXPECT_EQ(line.envelope.level, "error");
}

TEST(JsonLine, FluentBitNamesItsTimeDate) {
  const JsonLine line = read(R"({"date":1741684442.5,"log":"x","stream":"stderr","kubernetes":{"pod_name":"p"}})");
  EXPECT_EQ(line.message, "x");
  EXPECT_DOUBLE_EQ(line.envelope.seconds, 1741684442.5);
}

}  // namespace
}  // namespace cutopsy
