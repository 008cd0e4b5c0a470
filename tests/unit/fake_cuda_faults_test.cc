// The faults that a scenario gives the simulated libcuda.so.1: memory, arithmetic, copies, peers.
#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <vector>

#include "tests/unit/fake_cuda_session.h"

namespace cutopsy {
namespace {

using namespace test;

TEST(FakeCudaFaults, NumbersMultiprocessorsWithGaps) {
  EXPECT_EQ(with_session("[gpu 0]\nsm_count = 4\nbad_sm = 3:0x10\n",
                         [](Session& session) {
                           // Four blocks that each need a multiprocessor of their own: the one numbered 3 is wrong,
                           // and every launch puts another block there.
                           cuda::Address results = session.allocate(4 * 4);
                           std::uint32_t seed = 1;
                           void* arguments[] = {&results, &seed};
                           session.cuda.cuFuncSetAttribute(session.smoke,
                                                           cuda::FunctionAttribute::max_dynamic_shared_bytes, 200'000);
                           std::vector<std::vector<std::uint32_t>> runs(2, std::vector<std::uint32_t>(4));
                           for (auto& run : runs) {
                             session.cuda.cuLaunchKernel(session.smoke, 4, 1, 1, 1, 1, 1, 200'000, nullptr, arguments,
                                                         nullptr);
                             session.cuda.cuMemcpyDtoH_v2(run.data(), results, 16);
                           }
                           int different = 0;
                           for (int i = 0; i < 4; ++i) different += runs[0][i] != runs[1][i];
                           return joined({different});
                         }),
            "2");
}

// The word at a device's offset after storing zeros and then its complement.
std::string zeros_and_ones(const std::string& fault, std::uint64_t offset) {
  return with_session("[gpu 0]\n" + fault, [&](Session& session) {
    const cuda::Address start = session.allocate(32 << 20);
    std::string seen;
    for (const unsigned char byte : {0x00, 0xff}) {
      session.cuda.cuMemsetD8_v2(start, byte, 8192);
      const std::uint64_t expected = byte == 0 ? 0 : ~0ULL;
      for (int reading = 0; reading < 2; ++reading) seen += joined({session.word(start + offset) ^ expected}) + " ";
    }
    return seen;
  });
}

TEST(FakeCudaFaults, HasTheMemoryFaultsOfTheScenario) {
  EXPECT_EQ(zeros_and_ones("", 4096), "0 0 0 0 ");
  EXPECT_EQ(zeros_and_ones("stuck = 0x1000:0x80:0", 4096), "0 0 128 128 ");
  EXPECT_EQ(zeros_and_ones("stuck = 0x1000:0x80:0x80", 4096), "128 128 0 0 ");
  EXPECT_EQ(zeros_and_ones("stuck = 0x1000:0x80:0x80", 4104), "0 0 0 0 ");
  EXPECT_EQ(zeros_and_ones("flip_once = 0x1000:0x100000000", 4096), "4294967296 4294967296 0 0 ");
  EXPECT_EQ(zeros_and_ones("misread_once = 0x1000:4", 4096), "4 0 0 0 ");
}

TEST(FakeCudaFaults, LetsTwoAddressesReachOneCell) {
  EXPECT_EQ(with_session("[gpu 0]\nalias_bit = 20\n",
                         [](Session& session) {
                           const cuda::Address start = session.allocate(8 << 20);
                           session.cuda.cuMemsetD8_v2(start, 0, 8);
                           session.flip(start + (1 << 20), 7);
                           return joined({session.word(start), session.word(start + (2 << 20))});
                         }),
            "7 0");
}

TEST(FakeCudaFaults, StopsAtAnUncorrectableWord) {
  EXPECT_EQ(with_session("[gpu 0]\nuncorrectable = 0x1000\n",
                         [](Session& session) {
                           const cuda::Address start = session.allocate(8 << 20);
                           std::vector<char> copy(8192);
                           return joined({session.cuda.cuMemcpyDtoH_v2(copy.data(), start, copy.size()).code,
                                          session.cuda.cuCtxSynchronize().code});
                         }),
            "214 214");
}

// Bytes that differ after a large copy to the device, and after one back.
std::string copy_faults(const std::string& fault) {
  return with_session("[gpu 0]\n" + fault, [](Session& session) {
    const std::size_t bytes = 1 << 20;
    const cuda::Address device = session.allocate(bytes);
    std::vector<unsigned char> there(bytes, 0x5a);
    std::vector<unsigned char> back(bytes);
    session.cuda.cuMemcpyHtoD_v2(device, there.data(), bytes);
    session.cuda.cuMemcpyDtoH_v2(back.data(), device, bytes);
    return joined(
        {std::inner_product(there.begin(), there.end(), back.begin(), 0, std::plus<>(), std::not_equal_to<>()),
         session.word(device + bytes / 2) != 0x5a5a5a5a5a5a5a5aULL});
  });
}

TEST(FakeCudaFaults, CorruptsCopiesInTheNamedDirection) {
  EXPECT_EQ(copy_faults(""), "0 0");
  EXPECT_EQ(copy_faults("host_copy.to_device = 1"), "1 1");
  EXPECT_EQ(copy_faults("host_copy.to_host = 1"), "1 0");
}

// Two devices: access asked for, enabled, and the word that a kernel and a copy leave at the peer.
std::string peers(const std::string& first_device) {
  return with_session("[gpu 0]\n" + first_device + "\n[gpu 1]\n", [](Session& session) {
    CudaDriver& cuda = session.cuda;
    cuda::Context other = nullptr;
    cuda.cuDevicePrimaryCtxRetain(&other, 1);
    cuda.cuCtxSetCurrent(other);
    const cuda::Address there = session.allocate(1 << 20);
    cuda.cuMemsetD8_v2(there, 0, 1 << 20);
    cuda.cuCtxSynchronize();
    cuda.cuCtxSetCurrent(session.context);
    const cuda::Address here = session.allocate(1 << 20);
    cuda.cuMemsetD8_v2(here, 0, 1 << 20);
    int can = -1;
    cuda.cuDeviceCanAccessPeer(&can, 0, 1);
    const int enabled = cuda.cuCtxEnablePeerAccess(other, 0).code;
    cuda.cuMemcpyPeer(there, other, here, session.context, 1 << 20);
    const std::uint64_t copied = session.word(there + (1 << 19));
    session.flip(there, 32);
    const int synchronised = cuda.cuCtxSynchronize().code;
    return joined({can, enabled, copied, synchronised, synchronised == 0 ? session.word(there) : 0});
  });
}

TEST(FakeCudaFaults, ReachesPeersOnlyWhereThePairAllowsIt) {
  EXPECT_EQ(peers(""), "1 0 0 0 32");
  EXPECT_EQ(peers("p2p.access = none"), "0 217 0 700 0");
  EXPECT_EQ(peers("peer.copy = 1:8"), "1 0 8 0 32");
  EXPECT_EQ(peers("peer.store = 1:4"), "1 0 0 0 36");
}

}  // namespace
}  // namespace cutopsy
