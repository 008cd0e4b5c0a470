#include "validators/cuda_driver.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

TEST(CudaDriver, SaysWhichLibraryIsMissing) {
  std::string why_not;
  EXPECT_EQ(CudaDriver::open(&why_not, "libno-such-driver.so.1"), nullptr);
  EXPECT_TRUE(why_not.starts_with("libno-such-driver.so.1: cannot open shared object file")) << why_not;
}

TEST(CudaDriver, RefusesALibraryThatIsNoDriver) {
  std::string why_not;
  EXPECT_EQ(CudaDriver::open(&why_not, "libm.so.6"), nullptr);
  EXPECT_EQ(why_not, "libm.so.6 has no cuInit: it is not a usable CUDA driver");
  EXPECT_FALSE(cuda_driver_version(&why_not, "libm.so.6"));
}

TEST(CudaDriver, NamesCallCodeAndErrorOfAFailure) {
  const CudaStatus failed{2, "cuMemAlloc_v2", "CUDA_ERROR_OUT_OF_MEMORY"};
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.text(), "cuMemAlloc_v2 failed with error 2 (CUDA_ERROR_OUT_OF_MEMORY)");
  const CudaStatus unnamed{4711, "cuInit", ""};
  EXPECT_EQ(unnamed.text(), "cuInit failed with error 4711");
}

TEST(CudaDriver, AnswersACallThatTheDriverLacksWithMissing) {
  const CudaCall<cuda::entry::cuInit> absent;
  EXPECT_FALSE(absent);
  const CudaStatus status = absent(0);
  EXPECT_EQ(status.code, CudaStatus::kMissing);
  EXPECT_FALSE(status.ok());
}

}  // namespace
}  // namespace cutopsy
