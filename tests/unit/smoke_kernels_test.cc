// The kernels of context-smoke and launch-limits on the CPU.
#include "kernels/smoke.h"

#include <numeric>
#include <vector>

#include "tests/unit/host_launch.h"

namespace cutopsy::kernels {
namespace {

// One multiprocessor computes with a bit too many.
class WrongSm : public HostFaults {
 public:
  unsigned sm_of(unsigned block) override { return 2 * block; }
  std::uint64_t computed(std::uint64_t bits, unsigned sm) override { return sm == 4 ? bits ^ 8 : bits; }
};

TEST(SmokeKernels, ComputeValuesThatDoNotDependOnTheMachine) {
  // From the definition in another language: the values for every compiler and device.
  EXPECT_EQ(smoke_value(0, 1), 0x4F325FF1u);
  EXPECT_EQ(smoke_value(77, 12345), 0xD454EFFDu);
  EXPECT_EQ(mixed_value(0, 1), 0x321564D2u);
}

TEST(SmokeKernels, WriteTheValueOfEveryThread) {
  struct Kernel {
    const char* name;
    std::uint32_t (*value)(std::uint32_t thread, std::uint32_t seed);
  };
  for (const Kernel& kernel : {Kernel{"cutopsy_smoke", smoke_value}, Kernel{"cutopsy_registers", mixed_value}}) {
    std::vector<std::uint32_t> results(5 * 64 + 1);
    HostFaults healthy;
    launch_on_host(kernel.name, {.grid = 5, .block = 64}, healthy, results.data(), std::uint32_t{9});
    for (std::uint32_t i = 0; i < 5 * 64; ++i) ASSERT_EQ(results[i], kernel.value(i, 9)) << kernel.name << ' ' << i;
    EXPECT_EQ(results.back(), 0u) << kernel.name;
  }
}

TEST(SmokeKernels, ShowAMultiprocessorThatComputesWrongly) {
  std::vector<std::uint32_t> results(4 * 32);
  WrongSm wrong;
  launch_on_host("cutopsy_smoke", {.grid = 4, .block = 32}, wrong, results.data(), std::uint32_t{9});
  for (std::uint32_t i = 0; i < 4 * 32; ++i) {
    ASSERT_EQ(results[i] ^ smoke_value(i, 9), i / 32 == 2 ? 8u : 0u) << i;
  }
}

TEST(SmokeKernels, CountEveryWordOfSharedMemory) {
  constexpr std::uint32_t kWords = 58'111;  // odd, and more than a block has threads
  std::vector<std::uint64_t> totals(3);
  HostFaults healthy;
  launch_on_host("cutopsy_exchange", {.grid = 3, .block = 1024, .shared_bytes = kWords * 4}, healthy, totals.data(),
                 kWords);
  EXPECT_EQ(totals, std::vector<std::uint64_t>(3, kWords));
}

TEST(SmokeKernels, MissWordsOfSharedMemoryThatAreWrong) {
  std::vector<std::uint64_t> totals(3);
  WrongSm wrong;
  launch_on_host("cutopsy_exchange", {.grid = 3, .block = 64, .shared_bytes = 4000}, wrong, totals.data(),
                 std::uint32_t{1000});
  EXPECT_EQ(totals, (std::vector<std::uint64_t>{1000, 1000, 0}));
}

}  // namespace
}  // namespace cutopsy::kernels
