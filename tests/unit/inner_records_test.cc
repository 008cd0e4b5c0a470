// Blocks that stand in the message of an exception, read beside it. The samples follow PyTorch's own formats.
#include "parsers/inner_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/reading.h"

namespace cutopsy {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::vector<Event> events_of_kind(const Reading& reading, std::string_view kind) {
  std::vector<Event> events;
  for (const Event& event : reading.events)
    if (event.kind == kind) events.push_back(event);
  return events;
}

TEST(InnerRecords, ReadADeviceAssertionInsideAnExceptionsMessage) {
  const Reading reading(R"([rank1]: Traceback (most recent call last):
[rank1]:   File "/home/u/train.py", line 31, in main
[rank1]:     loss.backward()
[rank1]: RuntimeError: CUDA error: device-side assert triggered
[rank1]: Looking for device-side assertion failure information...
[rank1]: 1 CUDA device-side assertion failures were found on GPU #1!
[rank1]: Assertion failure 0
[rank1]:   GPU assertion failure message = t >= 0 && t < n_classes
[rank1]:   File containing assertion = /home/u/Loss.cu:39
[rank1]:   Device function containing assertion = nll_loss
[rank1]:   Thread ID that failed assertion = [3,0,0]
[rank1]:   Block ID that failed assertion = [0,0,0]
[rank1]:   Device that launched kernel = 1
[rank1]:   Backtrace of kernel launch site = Launch stacktracing disabled.
)",
                        false);
  const auto asserts = events_of_kind(reading, "torch.device_assert");
  ASSERT_THAT(asserts, SizeIs(1));
  EXPECT_EQ(asserts[0].fields.get("file"), "/home/u/Loss.cu");
  EXPECT_EQ(asserts[0].fields.get("gpu"), "1");
  EXPECT_EQ(asserts[0].envelope.rank, "1");
  const auto exceptions = events_of_kind(reading, "python.exception");
  ASSERT_THAT(exceptions, SizeIs(1));
  EXPECT_EQ(exceptions[0].record, asserts[0].record);
}

TEST(InnerRecords, OfTwoRanksDoNotMix) {
  const Reading reading(R"([rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a
[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB. GPU 1 has a
[rank0]: total capacity of 24.00 GiB of which 1.50 GiB is free.
[rank1]: total capacity of 80.00 GiB of which 2.50 GiB is free.
)",
                        false);
  const auto ooms = events_of_kind(reading, "gpu.oom");
  ASSERT_THAT(ooms, SizeIs(2));
  EXPECT_EQ(ooms[0].fields.get("tried_to_allocate"), "2.00 GiB");
  EXPECT_EQ(ooms[0].fields.get("capacity"), "24.00 GiB");
  EXPECT_EQ(ooms[1].fields.get("tried_to_allocate"), "3.00 GiB");
  EXPECT_EQ(ooms[1].fields.get("capacity"), "80.00 GiB");
}

TEST(InnerRecords, GoOnInLinesThatLostTheirLabel) {
  const Reading reading(R"([rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a
total capacity of 24.00 GiB of which 1.50 GiB is free.
)",
                        false);
  const auto ooms = events_of_kind(reading, "gpu.oom");
  ASSERT_THAT(ooms, SizeIs(1));
  EXPECT_EQ(ooms[0].fields.get("free"), "1.50 GiB");
  EXPECT_EQ(ooms[0].envelope.rank, "0");
}

TEST(InnerRecords, OfDifferentDialectsReadTheSameLines) {
  const Reading reading(R"(  rank      : 3 (local_rank: 3)
  exitcode  : 1 (pid: 4245)
  traceback : Traceback (most recent call last):
    File "/home/u/train.py", line 31, in main
    torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a
    total capacity of 24.00 GiB of which 1.50 GiB is free.
)",
                        false);
  EXPECT_THAT(events_of_kind(reading, "launcher.rank_failed"), SizeIs(1));
  EXPECT_THAT(events_of_kind(reading, "gpu.oom"), SizeIs(1));
}

TEST(InnerRecords, EndWithoutALineOfTheirs) {
  std::string log = "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a\n";
  for (int i = 0; i < InnerRecords::kMaxSilence + 5; ++i) log += "[rank7]: step\n";
  log += "total capacity of 24.00 GiB of which 1.50 GiB is free.\n";
  const auto ooms = events_of_kind(Reading(log, false), "gpu.oom");
  ASSERT_THAT(ooms, SizeIs(2));
  EXPECT_FALSE(ooms[0].fields.has("capacity"));
}

TEST(InnerRecords, StayWithinTheirBound) {
  std::string log;
  for (std::size_t i = 0; i < InnerRecords::kMaxOpen + 10; ++i)
    log += "[rank" + std::to_string(i) + "]: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a\n";
  EXPECT_THAT(events_of_kind(Reading(log, false), "gpu.oom"), SizeIs(InnerRecords::kMaxOpen + 10));
}

}  // namespace
}  // namespace cutopsy
