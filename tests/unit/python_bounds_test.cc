// How much of a Python traceback is kept, and that what is cut stays readable.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "parsers/error_message.h"
#include "parsers/python_chain.h"
#include "parsers/python_exception.h"
#include "parsers/python_frames.h"
#include "tests/unit/record_driver.h"

namespace cutopsy {
namespace {

std::string traceback(std::string_view error, std::size_t frames = 1) {
  std::string text = "Traceback (most recent call last):\n";
  for (std::size_t i = 0; i < frames; ++i) text += fmt::format("  File \"/srv/f{}.py\", line 1, in f\n    g()\n", i);
  return text + std::string(error) + "\n";
}

TEST(PythonBounds, AChainThatIsTooLongGoesOnInARecordOfItsOwn) {
  for (std::size_t more : {0, 1}) {
    std::string log = traceback("ValueError: 0");
    for (std::size_t i = 1; i < PythonChain::kMaxExceptions + more; ++i) {
      log += "\nDuring handling of the above exception, another exception occurred:\n\n";
      log += traceback(fmt::format("ValueError: {}", i));
    }
    RecordDriver driver(kPythonExceptionParser);
    const auto& events = driver.read_all(log);
    ASSERT_EQ(events.size(), PythonChain::kMaxExceptions + more);
    EXPECT_EQ(events.back().record, 1 + more);
    EXPECT_EQ(events.back().because == Place{}, more == 1);
  }
}

TEST(PythonBounds, TheInnermostFramesAreKept) {
  for (std::size_t more : {0, 1}) {
    RecordDriver driver(kPythonExceptionParser);
    const auto& events = driver.read_all(traceback("ValueError: x", PythonFrames::kMaxFrames + more));
    ASSERT_EQ(events.size(), 1u);
    const std::string frames(events[0].fields.get("frames"));
    EXPECT_EQ(frames.starts_with("/srv/f0.py:f > "), more == 0);
    EXPECT_TRUE(frames.ends_with(fmt::format("/srv/f{}.py:f", PythonFrames::kMaxFrames + more - 1)));
    EXPECT_EQ(std::count(frames.begin(), frames.end(), '>'), PythonFrames::kMaxFrames - 1);
  }
}

TEST(PythonBounds, AMessageHasSoManyBytes) {
  const std::string first(ErrorMessage::kMaxBytes - 10, 'x');
  RecordDriver driver(kPythonExceptionParser);
  const auto& events = driver.read_all(traceback("ValueError: " + first + "\n  then\n  more than fits"));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].fields.get("message"), first + "\n  then\n  ");
}

TEST(PythonBounds, AMessageHasSoManyLines) {
  const auto lines_of = [](std::string_view lane, int lines) {
    std::string log = traceback("ValueError: table");
    for (int i = 0; i < lines; ++i) log += fmt::format("  row {}\n", i);
    RecordDriver driver(kPythonExceptionParser, lane);
    const auto message = driver.read_all(log).at(0).fields.get("message");
    return std::count(message.begin(), message.end(), '\n');
  };
  EXPECT_EQ(lines_of("[rank0]:", ErrorMessage::kMaxLines), ErrorMessage::kMaxLines);
  EXPECT_EQ(lines_of("[rank0]:", ErrorMessage::kMaxLines + 1), ErrorMessage::kMaxLines);
  EXPECT_EQ(lines_of("", ErrorMessage::kMaxLinesUnknown), ErrorMessage::kMaxLinesUnknown);
  EXPECT_EQ(lines_of("", ErrorMessage::kMaxLinesUnknown + 1), ErrorMessage::kMaxLinesUnknown);
}

TEST(PythonBounds, AFieldHasSoManyBytes) {
  Fields fields;
  fields.set("whole", std::string(Fields::kMaxValueBytes, 'x'));
  fields.set("cut", std::string(Fields::kMaxValueBytes + 1, 'x'));
  EXPECT_EQ(fields.get("whole").size(), Fields::kMaxValueBytes);
  EXPECT_EQ(fields.get("cut").size(), Fields::kMaxValueBytes);
}

}  // namespace
}  // namespace cutopsy
