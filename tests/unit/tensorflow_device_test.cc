#include "parsers/tensorflow_device.h"

#include <gtest/gtest.h>

#include "tests/unit/fact_samples.h"

namespace cutopsy {
namespace {

TEST(TensorflowDevice, TellsFreeMemoryWithItsGpu) {
  const Parsed parsed = parse_records(
      kTensorflowDeviceParser,
      {"Found device 1 with properties:", "name: GeForce GTX 1050 Ti major: 6 minor: 1 memoryClockRate(GHz): 1.455",
       "pciBusID: 0000:06:00.0", "totalMemory: 3.94GiB freeMemory: 187.62MiB", "Device peer to peer matrix"});
  ASSERT_EQ(parsed.events.size(), 1u);
  const Event& event = parsed.events[0];
  EXPECT_EQ(event.kind, "gpu.memory");
  EXPECT_EQ(event.where.line, 4u);
  EXPECT_EQ(event.fields.get("gpu"), "1");
  EXPECT_EQ(event.fields.get("gpu_pci"), "0000:06:00.0");
  EXPECT_EQ(event.fields.get("capacity"), "3.94GiB");
  EXPECT_EQ(event.fields.get("free"), "187.62MiB");
  EXPECT_EQ(event.fields.get("free_share"), "0.047");
  EXPECT_EQ(fact_named(parsed, "gpu_name").value, "GeForce GTX 1050 Ti");
  EXPECT_EQ(fact_named(parsed, "gpu_name").gpu, "1");
  EXPECT_EQ(fact_named(parsed, "gpu_pci").value, "0000:06:00.0");
  EXPECT_EQ(parsed.fact("compute_capability"), "6.1");
  EXPECT_EQ(parsed.fact("gpu_memory"), "3.94GiB");
}

TEST(TensorflowDevice, NewerVersionsTellNoFreeMemory) {
  const Parsed parsed = parse_records(
      kTensorflowDeviceParser,
      {"Found device 0 with properties: ",
       "pciBusID: 0000:01:00.0 name: NVIDIA GeForce RTX 3060 computeCapability: 8.6",
       "coreClock: 1.777GHz coreCount: 28 deviceMemorySize: 11.76GiB deviceMemoryBandwidth: 335.32GiB/s"});
  EXPECT_TRUE(parsed.events.empty());
  EXPECT_EQ(parsed.fact("gpu_name"), "NVIDIA GeForce RTX 3060");
  EXPECT_EQ(parsed.fact("compute_capability"), "8.6");
  EXPECT_EQ(parsed.fact("gpu_memory"), "11.76GiB");
}

TEST(TensorflowDevice, TheMemorysLineCountsWithoutItsBlock) {
  const Parsed parsed =
      parse_records(kTensorflowDeviceParser, {"totalMemory: 3.94GiB freeMemory: 187.62MiB", "step 1"});
  ASSERT_EQ(parsed.events.size(), 1u);
  EXPECT_EQ(parsed.events[0].where.line, 1u);
  EXPECT_EQ(parsed.events[0].fields.get("free_bytes"), "196733829");
}

TEST(TensorflowDevice, NothingFromAHeadingAlone) {
  const Parsed parsed = parse_records(kTensorflowDeviceParser, {"Found device 0 with properties:", "step 10"});
  EXPECT_TRUE(parsed.events.empty());
  EXPECT_TRUE(parsed.facts.empty());
}

}  // namespace
}  // namespace cutopsy
