#include "validators/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutopsy {
namespace {

using testing::HasSubstr;

Gpu third_gpu() {
  Gpu gpu;
  gpu.index = "3";
  gpu.uuid = "GPU-1b2c3d4e-0000-1111-2222-333344445555";
  gpu.pci_address = "0000:3b:00.0";
  return gpu;
}

TEST(Runner, KnowsAGpuByEachOfItsNames) {
  for (const char* name : {"3", "GPU-1b2c3d4e-0000-1111-2222-333344445555", "GPU-1b2c3d4e", "0000:3b:00.0",
                           "0000:3b:00", "00000000:3B:00.0", "3b:00.0"}) {
    EXPECT_TRUE(Runner::is_name_of(name, third_gpu())) << name;
  }
}

TEST(Runner, TakesNoOtherNameForAGpu) {
  for (const char* name : {"", "0", "33", "GPU-", "GPU-1b2c", "GPU-1b2c3d4f", "0000:3c:00.0", "00:00", "3b:00.1",
                           "0000:", "0000:3b", "0001:3b:00.0", "b:00.0", ":3b:00.0"}) {
    EXPECT_FALSE(Runner::is_name_of(name, third_gpu())) << name;
  }
  EXPECT_FALSE(Runner::is_name_of("3b:00.0", Gpu{}));
}

TEST(Runner, SaysThatItsWorkersDoNotStart) {
  Runner runner({.binary = "/no/such/program", .sysroot = "", .time_limit = {}, .on_start = {}});
  const auto results = runner.run({{find_check("shm-size"), {}, {}}});
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].answer.doubt, Doubt::could_not_run);
  EXPECT_THAT(results[0].answer.detail, HasSubstr("does not start"));
}

TEST(Runner, TakesAProgramThatIsNoWorkerForOneThatDied) {
  Runner runner({.binary = "/bin/false", .sysroot = "", .time_limit = {}, .on_start = {}});
  const auto results = runner.run({{find_check("shm-size"), {}, {}}});
  EXPECT_EQ(results[0].answer.doubt, Doubt::could_not_run);
  EXPECT_THAT(results[0].answer.detail, HasSubstr("ended with status 1"));
}

TEST(Runner, AsksTheSameQuestionOnce) {
  int started = 0;
  RunOptions options{.binary = "/bin/false", .sysroot = "", .time_limit = {}, .on_start = {}};
  options.on_start = [&](const Check&, const Gpu&) { ++started; };
  Runner counted(std::move(options));
  counted.run({{find_check("shm-size"), {}, {}}, {find_check("shm-size"), {}, {}}});
  EXPECT_EQ(started, 1);
}

TEST(Runner, KnowsWhatMayBeANameOfAGpu) {
  for (const char* name : {"0", "17", "GPU-1b2c3d4e", "MIG-1b2c3d4e", "3b:00.0", "0000:3b:00.0", "00000000:3B:00.0"}) {
    EXPECT_TRUE(Runner::is_name(name)) << name;
  }
  for (const char* name : {"", "nonsense", "-1", "0x1", "0000:", "3b:00.0.0"}) {
    EXPECT_FALSE(Runner::is_name(name)) << name;
  }
}

TEST(Runner, RefusesWordsThatAreNoSizeOrNumber) {
  Runner runner({.binary = "/bin/false", .sysroot = "", .time_limit = {}, .on_start = {}});
  for (const auto& [name, value] :
       {std::pair("needed", "2 apples"), std::pair("needed", ""), std::pair("needed", "-1")}) {
    Parameters parameters;
    parameters.set(name, value);
    const auto results = runner.run({{find_check("shm-size"), parameters, {}}});
    EXPECT_EQ(results[0].answer.doubt, Doubt::could_not_run);
    EXPECT_THAT(results[0].answer.detail, HasSubstr(std::string("needed '") + value + "' is no size"));
  }
}

TEST(Runner, StartsNoCheckAfterItsTime) {
  int started = 0;
  RunOptions options{.binary = "/bin/false", .sysroot = "", .time_limit = std::chrono::milliseconds(0), .on_start = {}};
  options.on_start = [&](const Check&, const Gpu&) { ++started; };
  Runner runner(std::move(options));
  const auto results = runner.run({{find_check("shm-size"), {}, {}}});
  EXPECT_EQ(results[0].answer.doubt, Doubt::could_not_run);
  EXPECT_THAT(results[0].answer.detail, HasSubstr("time of this level is over"));
  EXPECT_EQ(started, 0);
}

}  // namespace
}  // namespace cutopsy
