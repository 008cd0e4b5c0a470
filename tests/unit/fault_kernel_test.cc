// The kernels that go wrong on purpose, on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/host_machine.h"

namespace cutopsy::kernels {
namespace {

const HostKernel& kernel(std::string_view name) {
  const auto all = host_kernels();
  return *std::find_if(all.begin(), all.end(), [&](const HostKernel& one) { return one.name == name; });
}

class Watcher : public HostFaults {
 public:
  void store(void* address, const void*, std::size_t bytes) override {
    ++stores;
    last_address = reinterpret_cast<std::uint64_t>(address);
    last_bytes = bytes;
  }
  std::uint64_t nanoseconds() override {
    ++readings;
    return clock += step;
  }
  void fail_assertion(const std::string& text) override { printed += text + "\n"; }

  int stores = 0, readings = 0;
  std::uint64_t last_address = 0, clock = 0, step = 0;
  std::size_t last_bytes = 0;
  std::string printed;
};

TEST(FaultKernel, FailsOneAssertionInTheWordsOfTheDriver) {
  Watcher watcher;
  kernel("cutopsy_fault_assert").run({.grid = 2, .block = 32}, nullptr, watcher);
  EXPECT_TRUE(watcher.printed.starts_with("kernels/fault.h:")) << watcher.printed;
  EXPECT_TRUE(watcher.printed.ends_with(
      ": cutopsy_fault_assert: block: [0,0,0], thread: [0,0,0] Assertion `made_to_fail` failed.\n"))
      << watcher.printed;
}

TEST(FaultKernel, StoresFourBytesOnceAndJustWhereItIsTold) {
  Watcher watcher;
  std::uint64_t address = 0x7f0000000001;
  void* arguments[] = {&address};
  kernel("cutopsy_fault_store").run({.grid = 2, .block = 32}, arguments, watcher);
  EXPECT_EQ(watcher.stores, 1);
  EXPECT_EQ(watcher.last_address, address);
  EXPECT_EQ(watcher.last_bytes, 4U);
}

int readings_of_spin(std::uint64_t nanoseconds, std::uint64_t rounds, std::uint64_t step) {
  Watcher watcher;
  watcher.step = step;
  void* arguments[] = {&nanoseconds, &rounds};
  kernel("cutopsy_spin").run({.grid = 1, .block = 32}, arguments, watcher);
  return watcher.readings;
}

TEST(FaultKernel, SpinsForItsTime) {
  EXPECT_EQ(readings_of_spin(100, 1000, 10), 11);
}

TEST(FaultKernel, EndsAlsoWhenTheClockStandsStill) {
  EXPECT_EQ(readings_of_spin(100, 1000, 0), 1001);
}

}  // namespace
}  // namespace cutopsy::kernels
