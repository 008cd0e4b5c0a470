#include "validators/cuda_driver.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

TEST(CudaDriver, SaysWhichLibraryIsMissing) {
  std::string why_not;
  EXPECT_FALSE(find_cuda_driver(&why_not, "libno-such-driver.so.1"));
  EXPECT_EQ(why_not, "libno-such-driver.so.1 is not installed here");
}

TEST(CudaDriver, RefusesALibraryThatIsNoDriver) {
  std::string why_not;
  EXPECT_FALSE(find_cuda_driver(&why_not, "libm.so.6"));
  EXPECT_EQ(why_not, "libm.so.6 has no cuDriverGetVersion: it is not a CUDA driver");
}

}  // namespace
}  // namespace cutopsy
