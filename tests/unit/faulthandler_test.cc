// Samples follow CPython's faulthandler: 3.9 to 3.14.
#include "parsers/faulthandler.h"

#include <gtest/gtest.h>

#include "tests/unit/record_driver.h"

namespace cutopsy {
namespace {

std::vector<Event> read(std::string_view log) {
  RecordDriver driver(kFaulthandlerParser);
  return driver.read_all(log);
}

TEST(Faulthandler, TellsTheCurrentThreadsFramesOfSeveralThreads) {
  const auto events = read(R"(Fatal Python error: Aborted

Thread 0x00007f00 (most recent call first):
  File "/usr/lib/python3.11/threading.py", line 320 in wait

Current thread 0x00007fff [MainThread] (most recent call first):
  File "/home/u/model.py", line 9 in forward
  File "/home/u/train.py", line 31 in <module>

Thread 0x00007f11 (most recent call first):
  File "/usr/lib/python3.11/queue.py", line 171 in get
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, "python.fatal");
  EXPECT_EQ(events[0].fields.get("message"), "Aborted");
  EXPECT_EQ(events[0].fields.get("thread"), "0x00007fff");
  EXPECT_EQ(events[0].fields.get("file"), "/home/u/model.py");
  EXPECT_EQ(events[0].fields.get("line"), "9");
  EXPECT_EQ(events[0].fields.get("frames"), "/home/u/train.py:<module> > /home/u/model.py:forward");
}

TEST(Faulthandler, ReadsWindowsAndErrorsWithoutFrames) {
  const auto windows = read(
      "Windows fatal exception: access violation\n\nCurrent thread 0x00001a2c (most recent call first):\n"
      "  File \"C:\\train.py\", line 3 in main\n");
  ASSERT_EQ(windows.size(), 1u);
  EXPECT_EQ(windows[0].fields.get("message"), "access violation");
  EXPECT_EQ(windows[0].fields.get("file"), "C:\\train.py");
  const auto bare = read("Fatal Python error: init_fs_encoding: failed to get the Python codec\nstep 1\n");
  ASSERT_EQ(bare.size(), 1u);
  EXPECT_EQ(bare[0].fields.get("message"), "init_fs_encoding: failed to get the Python codec");
  EXPECT_FALSE(bare[0].fields.has("frames"));
}

TEST(Faulthandler, ReadsADumpOfTheCurrentThreadAlone) {
  const auto events = read(
      "Fatal Python error: Segmentation fault\n\nStack (most recent call first):\n  File \"a.py\", line 1 in f\n"
      "  <no Python frame>\n");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].fields.get("function"), "f");
}

}  // namespace
}  // namespace cutopsy
