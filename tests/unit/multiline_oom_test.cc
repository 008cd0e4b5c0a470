// Samples: c10/cuda/CUDACachingAllocator.cpp and CUDAMallocAsyncAllocator.cpp, wrapped as in reports.
#include "parsers/multiline_oom.h"

#include <gtest/gtest.h>

#include "parsers/gpu_oom.h"
#include "tests/unit/parse_probe.h"
#include "tests/unit/record_driver.h"

namespace cutopsy {
namespace {

std::vector<Event> read(std::string_view log) {
  RecordDriver driver(kMultilineOomParser);
  return driver.read_all(log);
}

TEST(MultilineOom, PutsAWrappedMessageTogether) {
  const auto events = read(R"(torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a
total capacity of 24.00 GiB of which 500.00 MiB is free. Process 5151 has 4.00
GiB memory in use. Including non-PyTorch memory, this process has 19.50 GiB
memory in use. Of the allocated memory 12.00 GiB is allocated by PyTorch, and
7.00 GiB is reserved by PyTorch but unallocated. If reserved but unallocated
memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
step 10: 5.00 GiB is free
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, "gpu.oom");
  EXPECT_EQ(events[0].where.line, 1u);
  EXPECT_EQ(events[0].text, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a");
  EXPECT_EQ(events[0].fields.get("capacity"), "24.00 GiB");
  EXPECT_EQ(events[0].fields.get("free"), "500.00 MiB");
  EXPECT_EQ(events[0].fields.get("foreign"), "4.00 GiB");
  EXPECT_EQ(events[0].fields.get("reserved_unused"), "7.00 GiB");
  EXPECT_EQ(events[0].fields.get("fits_reserved"), "true");
}

TEST(MultilineOom, ReadsTheAsynchronousAllocatorsTable) {
  const auto events =
      read(R"(torch.OutOfMemoryError: Allocation on device 1 would exceed allowed memory. (out of memory)
Currently allocated     : 14.25 GiB
Requested               : 8.01 GiB
Device limit            : 15.70 GiB
Free (according to CUDA): 12.81 MiB
PyTorch limit (set by user-supplied memory fraction)
                        : 17179869184.00 GiB
)");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].fields.get("gpu"), "1");
  EXPECT_EQ(events[0].fields.get("tried_to_allocate"), "8.01 GiB");
  EXPECT_EQ(events[0].fields.get("allocated"), "14.25 GiB");
  EXPECT_EQ(events[0].fields.get("capacity"), "15.70 GiB");
  EXPECT_EQ(events[0].fields.get("free"), "12.81 MiB");
}

TEST(MultilineOom, ReadsMessagesThatAreCut) {
  const auto quoted = read(
      "text='RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total "
      "capacity; ...' [truncated]\n");
  ASSERT_EQ(quoted.size(), 1u);
  EXPECT_EQ(quoted[0].fields.get("capacity"), "23.69 GiB");
  EXPECT_FALSE(quoted[0].fields.has("foreign_bytes"));
  const auto tail =
      read("total capacity of 24.00 GiB of which 1.50 GiB is free.\nTraceback (most recent call last):\n");
  ASSERT_EQ(tail.size(), 1u);
  EXPECT_EQ(tail[0].fields.get("free_share"), "0.062");
}

TEST(MultilineOom, LeavesWholeMessagesToTheParserOfSingleLines) {
  constexpr std::string_view kWhole =
      "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 10.92 GiB total capacity; 9.50 GiB "
      "already "
      "allocated; 11.44 MiB free; 9.90 GiB cached)";
  EXPECT_TRUE(read(kWhole).empty());
  EXPECT_EQ(only_event(kGpuOomParser, kWhole).fields.get("reserved"), "9.90 GiB");
  constexpr std::string_view kHead = "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a";
  EXPECT_TRUE(parse_line(kGpuOomParser, kHead).events.empty());
}

}  // namespace
}  // namespace cutopsy
