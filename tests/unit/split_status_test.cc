#include "parsers/split_status.h"

#include <gtest/gtest.h>

#include "tests/unit/record_driver.h"

namespace cutopsy {
namespace {

TEST(SplitStatus, ReadsWordsOnTheLineBelowTheirAnnouncement) {
  struct {
    const char* log;
    const char* name;
    const char* line;
  } const samples[] = {
      {"An unexpected error occurred during CUDA execution. The CUDA error was:\nout of memory",
       "cudaErrorMemoryAllocation", ""},
      {"CUDA Runtime Error at: /src/bench.cu:41\ninvalid argument cudaMemcpy(a, b, n, kind)", "cudaErrorInvalidValue",
       "41"},
      {"FATAL ERROR: CUDA error cudaMalloc(pp, n) in file src/CudaUtils.C, function allocate, line 112\n"
       " on Pe 0 (node1 device 0 pci 0:1:0): out of memory",
       "cudaErrorMemoryAllocation", "112"},
      {"terminate called after throwing an instance of 'thrust::system::system_error'\n  what():  out of memory",
       "cudaErrorMemoryAllocation", ""},
      {"[CUDA ERROR] in cuda_rasterizer/rasterizer_impl.cu\nLine 335: invalid argument", "cudaErrorInvalidValue",
       "335"},
  };
  for (const auto& sample : samples) {
    RecordDriver driver(kSplitStatusParser);
    const auto& events = driver.read_all(sample.log);
    ASSERT_EQ(events.size(), 1u) << sample.log;
    EXPECT_EQ(events[0].fields.get("name"), sample.name);
    EXPECT_EQ(events[0].fields.get("line"), sample.line);
  }
}

TEST(SplitStatus, WordsBelowAnAnnouncementAreReadOnce) {
  RecordDriver driver(kSplitStatusParser);
  EXPECT_TRUE(driver.read_all("The CUDA error was:\nCUDA_ERROR_LAUNCH_TIMEOUT: the launch timed out and was terminated")
                  .empty());
  RecordDriver other(kSplitStatusParser);
  EXPECT_TRUE(other.read_all("[CUDA ERROR] in rasterizer.cu\nTraining finished").empty());
}

}  // namespace
}  // namespace cutopsy
