// Samples: ProcessGroupNCCL.cpp, and the JSON of torch's flight recorder (its pickle's field names).
#include "parsers/flight_recorder.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"
#include "tests/unit/record_driver.h"

namespace cutopsy {
namespace {

TEST(CollectiveStack, TellsTheFramesOfTheFailedCollective) {
  RecordDriver driver(kCollectiveStackParser);
  const auto events = driver.read_all(R"([PG ID 1 PG GUID 3(mesh_dp) Rank 2] Stack trace of the failed collective:
#0 all_reduce from /opt/torch/distributed/distributed_c10d.py:2810
#1 wrapper from /opt/torch/distributed/c10d_logger.py:81
#2 <module> from /home/u/train.py:31

step 1
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, "nccl.collective");
  EXPECT_EQ(events[0].fields.get("rank"), "2");
  EXPECT_EQ(events[0].fields.get("pg_name"), "mesh_dp");
  EXPECT_EQ(events[0].fields.get("op"), "all_reduce");
  EXPECT_EQ(events[0].fields.get("line"), "2810");
  EXPECT_EQ(events[0].fields.get("frames"),
            "/home/u/train.py:<module> > /opt/torch/distributed/c10d_logger.py:wrapper > "
            "/opt/torch/distributed/distributed_c10d.py:all_reduce");
}

TEST(CollectiveStack, IsNothingWithoutFrames) {
  RecordDriver driver(kCollectiveStackParser);
  EXPECT_TRUE(driver
                  .read_all("Stack trace of the failed collective not found, potentially because FlightRecorder is "
                            "disabled.\nStack trace of the failed collective:\nstep 1\n")
                  .empty());
}

TEST(FlightRecorder, TellsTheFirstCollectiveThatIsNotCompleted) {
  const Event event = only_event(
      kFlightRecorderParser,
      R"({"pg_status": {"0": {"last_enqueued_collective": 9, "last_started_collective": 8, "last_completed_collective": 7}}, )"
      R"("entries": [{"record_id": 0, "collective_seq_id": 7, "profiling_name": "nccl:broadcast", "state": "completed"}, )"
      R"({"record_id": 1, "process_group": ["0", "default_pg"], "collective_seq_id": 8, "profiling_name": "nccl:all_reduce", )"
      R"("state": "started", "timeout_ms": 600000, "frames": [{"name": "step", "filename": "/home/u/t.py", "line": 5}]}, )"
      R"({"record_id": 2, "collective_seq_id": 9, "profiling_name": "nccl:all_gather", "state": "scheduled"}]})");
  EXPECT_EQ(event.fields.get("seq"), "8");
  EXPECT_EQ(event.fields.get("op"), "nccl:all_reduce");
  EXPECT_EQ(event.fields.get("state"), "started");
  EXPECT_EQ(event.fields.get("pg_name"), "default_pg");
  EXPECT_EQ(event.fields.get("last_completed"), "7");
  EXPECT_EQ(event.fields.get("function"), "step");
}

TEST(FlightRecorder, HasNothingToTellWhenAllIsCompleted) {
  EXPECT_TRUE(parse_line(kFlightRecorderParser,
                         R"({"entries": [{"record_id": 0, "collective_seq_id": 7, "state": "completed"}]})")
                  .events.empty());
}

}  // namespace
}  // namespace cutopsy
