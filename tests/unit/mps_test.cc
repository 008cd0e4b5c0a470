#include "validators/mps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "tests/unit/temporary_folder.h"

namespace cutopsy {
namespace {

using testing::HasSubstr;

TEST(Mps, LeavesNoSignOnAMachineWithoutIt) {
  const TemporaryFolder copy;
  copy.write("proc/1/comm", "systemd\n");
  EXPECT_EQ(signs_of_mps(Host(copy.path().string())), "");
}

TEST(Mps, IsSeenByItsDaemonAndItsServer) {
  const TemporaryFolder copy;
  copy.write("proc/4242/comm", "nvidia-cuda-mps\n");
  EXPECT_THAT(signs_of_mps(Host(copy.path().string())), HasSubstr("process 4242"));
}

TEST(Mps, IsSeenByItsSocket) {
  const TemporaryFolder copy;
  copy.write("tmp/nvidia-mps/control", "");
  EXPECT_THAT(signs_of_mps(Host(copy.path().string())), HasSubstr("/tmp/nvidia-mps/control"));
}

TEST(Mps, IsSeenByAnyOfItsVariables) {
  const TemporaryFolder copy;
  setenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50", 1);
  EXPECT_EQ(signs_of_mps(Host(copy.path().string())), "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE is set");
  unsetenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE");
}

}  // namespace
}  // namespace cutopsy
