// tests/device/run.sh on machines that are not sound: it must fail, and say where. On a sound one ctest runs it whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/image.h"
#include "tests/e2e/simulated_machine.h"

namespace cutopsy {
namespace {

using testing::HasSubstr;

// The summary of one step; its exit status is checked.
std::string summary_of(const std::string& scenario, const std::string& step, int status) {
  const TemporaryFolder folder;
  const int ended =
      shell("CUTOPSY_FAKE_GPU=" + folder.write("scenario", scenario) +
            " LD_LIBRARY_PATH=" CUTOPSY_FAKE_GPU_LIBRARIES " " CUTOPSY_TEST_DATA "/device/run.sh --simulated --only " +
            step + " --out " + folder.path("out") + " " CUTOPSY_BINARY " 2>" + folder.path("err"));
  EXPECT_EQ(ended, status) << folder.read("err");
  return folder.read("out/summary.tsv");
}

class DeviceScript : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels::kernel_image().empty()) GTEST_SKIP() << "built without a CUDA compiler";
  }
};

TEST_F(DeviceScript, FailsWhereFaultsAreReportedWrongly) {
  EXPECT_THAT(summary_of("[gpu 0]\nreport.700 = 719\n", "self-test", 1), HasSubstr("self-test\tfailed\t"));
}

TEST_F(DeviceScript, FailsWhereACheckFindsAFault) {
  EXPECT_THAT(summary_of("[gpu 0]\necc.volatile.uncorrected = 3\n", "quick", 1), HasSubstr("faults: ecc-counters"));
}

TEST_F(DeviceScript, FailsWithoutAGpu) {
  EXPECT_THAT(summary_of("cu.cuInit = 100\nnvml.nvmlInit_v2 = 9\n[gpu 0]\n", "context", 1),
              HasSubstr("context\tfailed\t"));
}

}  // namespace
}  // namespace cutopsy
