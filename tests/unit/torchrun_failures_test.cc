// Samples: torch/distributed/elastic/multiprocessing/errors/__init__.py, PyTorch 1.9 to 2.9.
#include "parsers/torchrun_failures.h"

#include <gtest/gtest.h>

#include "tests/unit/record_driver.h"

namespace cutopsy {
namespace {

std::vector<Event> read(std::string_view log) {
  RecordDriver driver(kTorchrunFailuresParser);
  return driver.read_all(log);
}

std::string describe(const Event& event) {
  std::string text = std::to_string(event.where.line);
  for (const auto& [name, value] : event.fields) text += ' ' + name + '=' + value;
  return text;
}

TEST(TorchrunFailures, AreOneEventEach) {
  const auto events = read(R"(Failures:
[1]:
  time      : 2026-11-30_10:00:00
  host      : node1.cluster
  rank      : 11 (local_rank: 3)
  exitcode  : -6 (pid: 4245)
  error_file: /tmp/torchelastic/3/error.json
  traceback : Signal 6 (SIGABRT) received by PID 4245
------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  time      : 2026-11-30_09:59:58
  host      : node1.cluster
  rank      : 8 (local_rank: 0)
  exitcode  : 1 (pid: 4242)
  error_file: <N/A>
  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html
============================================================
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, "launcher.rank_failed");
  EXPECT_EQ(events[0].emitter, "torchrun");
  EXPECT_EQ(
      describe(events[0]),
      "6 host=node1.cluster rank=11 local_rank=3 exitcode=-6 pid=4245 file=/tmp/torchelastic/3/error.json signal=6");
  EXPECT_EQ(describe(events[1]), "15 host=node1.cluster rank=8 local_rank=0 exitcode=1 pid=4242");
}

TEST(TorchrunFailures, SkipATracebackThatAWorkerRecorded) {
  const auto events = read(R"(  rank      : 1 (local_rank: 1)
  exitcode  : 1 (pid: 7)
  error_file: /tmp/e.json
  traceback : Traceback (most recent call last):
    File "/home/u/train.py", line 31, in main

  RuntimeError: boom

------------------------------------------------------------
Root Cause (first observed failure):
[0]:
  rank      : 0 (local_rank: 0)
  exitcode  : 1 (pid: 6)
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(describe(events[0]), "2 rank=1 local_rank=1 exitcode=1 pid=7 file=/tmp/e.json");
  EXPECT_EQ(events[1].fields.get("rank"), "0");
}

TEST(TorchrunFailures, AreReadFromWhatIsLeftOfThem) {
  const auto code = read("  exitcode  : -9 (pid: 4245)\nstep 1\n");
  ASSERT_EQ(code.size(), 1u);
  EXPECT_EQ(code[0].fields.get("signal"), "9");
  const auto signal = read("  traceback : Signal 7 (SIGBUS) received by PID 4245\n");
  ASSERT_EQ(signal.size(), 1u);
  EXPECT_EQ(signal[0].fields.get("signal"), "7");
  EXPECT_TRUE(read("  host      : node1\n").empty());
  EXPECT_TRUE(read("  rank      : 0 (local_rank: 0)\n  exitcode  : 0 (pid: 4245)\n").empty());
}

}  // namespace
}  // namespace cutopsy
