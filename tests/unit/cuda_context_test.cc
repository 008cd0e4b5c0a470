// Contexts, memory and modules of the simulated driver, given back at the end of their lives.
#include "validators/cuda_context.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "tests/unit/in_child.h"
#include "validators/cuda_module.h"
#include "validators/memory_allowance.h"

namespace cutopsy {
namespace {

constexpr const char* kLibrary = CUTOPSY_FAKE_GPU_LIBRARIES "/libcuda.so.1";
constexpr std::size_t kMiB = 1 << 20;

// What `body` says of an open context.
std::string with_context(const std::string& scenario, const std::function<std::string(CudaContext&)>& body) {
  return test::in_child(scenario, [&]() -> std::string {
    std::string why_not;
    const auto cuda = CudaDriver::open(&why_not, kLibrary);
    if (!cuda) return why_not;
    CudaContext context(*cuda);
    const CudaStatus status = context.open();
    return status.ok() ? body(context) : status.text();
  });
}

std::string free_mib(const CudaContext& context) {
  std::size_t free = 0;
  std::size_t total = 0;
  context.cuda().cuMemGetInfo_v2(&free, &total);
  return std::to_string(free / kMiB);
}

TEST(CudaContext, NamesTheCallThatFailed) {
  const auto nothing = [](CudaContext&) { return std::string("open"); };
  EXPECT_EQ(with_context("[gpu 0]\n", nothing), "open");
  EXPECT_EQ(with_context("cu.cuInit = 802\n[gpu 0]\n", nothing).substr(0, 28), "cuInit failed with error 802");
  EXPECT_EQ(with_context("[gpu 0]\nlost = 1\n", nothing).substr(0, 46),
            "cuDevicePrimaryCtxRetain failed with error 999");
}

TEST(DeviceMemory, GoesBackOnceWhereverItWasMovedTo) {
  EXPECT_EQ(with_context("[gpu 0]\n",
                         [](CudaContext& context) {
                           std::string free = free_mib(context);
                           {
                             DeviceMemory first;
                             first.allocate(context.cuda(), 8 * kMiB);
                             DeviceMemory second(std::move(first));
                             free += " " + free_mib(context);
                             DeviceMemory third;
                             third.allocate(context.cuda(), 4 * kMiB);
                             third = std::move(second);
                             free += " " + free_mib(context) + " " + std::to_string(third.bytes() / kMiB);
                           }
                           return free + " " + free_mib(context);
                         }),
            "64 56 56 8 64");
}

TEST(DeviceMemory, HoldsNothingAfterARefusal) {
  EXPECT_EQ(with_context("[gpu 0]\n",
                         [](CudaContext& context) {
                           DeviceMemory memory;
                           memory.allocate(context.cuda(), 8 * kMiB);
                           const CudaStatus status = memory.allocate(context.cuda(), 100 * kMiB);
                           return status.text() + " " + std::to_string(memory.bytes()) + " " + free_mib(context);
                         }),
            "cuMemAlloc_v2 failed with error 2 (CUDA_ERROR_OUT_OF_MEMORY) 0 64");
}

TEST(CudaModule, KeepsWhatTheCompilerSaidOfAnImageThatDoesNotLoad) {
  EXPECT_EQ(with_context("[gpu 0]\n",
                         [](CudaContext& context) {
                           CudaModule module(context.cuda());
                           const CudaStatus status = module.load(".version 99.0\n.target sm_50\n.address_size 64\n");
                           return std::to_string(status.code) + " " + module.log();
                         }),
            "222 ptxas fatal   : Unsupported .version");
}

std::string allowance_of(CudaContext& context) {
  MemoryAllowance allowance;
  const CudaStatus status = measure(context, Host("/nowhere"), &allowance);
  if (!status.ok()) return status.text();
  return std::to_string(allowance.usable_bytes * 100 / allowance.free_bytes) + std::string(allowance.why_less);
}

TEST(MemoryAllowance, IsAllButATenthAndATenthOfTheHosts) {
  EXPECT_EQ(with_context("[gpu 0]\nmemory.free = 10000000\n", allowance_of), "90");
  EXPECT_EQ(with_context("[gpu 0]\nmemory.free = 10000000\nintegrated = 1\n", allowance_of),
            "10the device's memory is the host's");
  EXPECT_EQ(with_context("[gpu 0]\ncu.cuDeviceGetAttribute = 999\n", allowance_of).substr(0, 20),
            "cuDeviceGetAttribute");
}

}  // namespace
}  // namespace cutopsy
