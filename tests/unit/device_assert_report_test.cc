// Samples: c10/cuda/CUDADeviceAssertionHost.cpp.
#include "parsers/device_assert_report.h"

#include <gtest/gtest.h>

#include "tests/unit/record_driver.h"

namespace cutopsy {
namespace {

TEST(DeviceAssertReport, TellsWhereAndWhatFailed) {
  RecordDriver driver(kDeviceAssertReportParser);
  const auto events = driver.read_all(R"(Assertion failure 0
  GPU assertion failure message = index >= -n && "index out of bounds"
  File containing assertion = C:\src\k.cu:39
  Device function containing assertion = void gather<float>(float *, int)
  Thread ID that failed assertion = [5,0,0]
  Block ID that failed assertion = [7,1,0]
  File containing kernel launch = C:\src\k.cu:80
  Function containing kernel launch = run
  Name of kernel launched that led to failure = gather
  Device that launched kernel = 2
  Stream kernel was launched on = 0
  Backtrace of kernel launch site = Launch stacktracing disabled.
Assertion failure 1
  GPU assertion failure message = a != a
)");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, "torch.device_assert");
  EXPECT_EQ(events[0].emitter, "torch");
  EXPECT_EQ(events[0].where.line, 2u);
  EXPECT_EQ(events[0].fields.get("condition"), "index >= -n && \"index out of bounds\"");
  EXPECT_EQ(events[0].fields.get("message"), "index out of bounds");
  EXPECT_EQ(events[0].fields.get("file"), "C:\\src\\k.cu");
  EXPECT_EQ(events[0].fields.get("line"), "39");
  EXPECT_EQ(events[0].fields.get("kernel"), "gather<float>");
  EXPECT_EQ(events[0].fields.get("thread"), "[5,0,0]");
  EXPECT_EQ(events[0].fields.get("block"), "[7,1,0]");
  EXPECT_EQ(events[0].fields.get("gpu"), "2");
  EXPECT_EQ(events[1].fields.get("condition"), "a != a");
  EXPECT_FALSE(events[1].fields.has("file"));
}

}  // namespace
}  // namespace cutopsy
