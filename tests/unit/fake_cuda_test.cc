// The simulated libcuda.so.1 is as strict as a driver: what would go wrong on a GPU must go wrong here.
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/image.h"
#include "tests/unit/fake_cuda_session.h"

namespace cutopsy {
namespace {

using namespace test;

std::string missing_entry_points(CudaDriver& cuda) {
  std::string missing;
#define CUTOPSY_ASK(symbol, required, ...) missing += cuda.symbol ? "" : #symbol " ";
  CUTOPSY_CUDA_ENTRY_POINTS(CUTOPSY_ASK)
#undef CUTOPSY_ASK
  return missing;
}

TEST(FakeCuda, HasEveryEntryPointOfTheProductsTable) {
  EXPECT_EQ(with_driver("[gpu 0]\n", missing_entry_points), "");
}

TEST(FakeCuda, AnswersNothingBeforeItIsInitialised) {
  EXPECT_EQ(with_driver("[gpu 0]\n",
                        [](CudaDriver& cuda) {
                          int count = 0;
                          const int before = cuda.cuDeviceGetCount(&count).code;
                          cuda.cuInit(0);
                          return joined({before, cuda.cuDeviceGetCount(&count).code, count});
                        }),
            "3 0 1");
}

TEST(FakeCuda, DoesNotSurviveAFork) {
  EXPECT_EQ(with_session("[gpu 0]\n",
                         [](Session& session) {
                           const pid_t child = fork();
                           if (child == 0) {
                             int count = 0;
                             _exit(session.cuda.cuDeviceGetCount(&count).code + 10 * session.cuda.cuInit(0).code);
                           }
                           int status = 0;
                           waitpid(child, &status, 0);
                           return joined({WEXITSTATUS(status), session.cuda.cuCtxSynchronize().code});
                         }),
            "33 0");
}

TEST(FakeCuda, WantsAContextForMemory) {
  EXPECT_EQ(with_driver("[gpu 0]\n",
                        [](CudaDriver& cuda) {
                          cuda.cuInit(0);
                          cuda::Address address = 0;
                          return joined({cuda.cuMemAlloc_v2(&address, 64).code});
                        }),
            "201");
}

TEST(FakeCuda, LaunchesNoSoonerThanSomethingWaitsForThem) {
  EXPECT_EQ(with_session("[gpu 0]\n",
                         [](Session& session) {
                           session.cuda.cuCtxSynchronize();
                           std::uint64_t* shared = nullptr;
                           session.cuda.cuMemHostAlloc(reinterpret_cast<void**>(&shared), 8, 0);
                           *shared = 0;
                           session.flip(reinterpret_cast<cuda::Address>(shared), 5);
                           const std::uint64_t before = *shared;
                           session.cuda.cuCtxSynchronize();
                           return joined({before, *shared});
                         }),
            "0 5");
}

TEST(FakeCuda, CopiesArgumentsWhenAKernelIsLaunched) {
  EXPECT_EQ(with_session("[gpu 0]\n",
                         [](Session& session) {
                           cuda::Address word = session.allocate(8);
                           session.cuda.cuMemsetD8_v2(word, 0, 8);
                           std::uint64_t bits = 3;
                           void* arguments[] = {&word, &bits};
                           session.cuda.cuLaunchKernel(session.plant, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
                           bits = 0;
                           return joined({session.word(word)});
                         }),
            "3");
}

TEST(FakeCuda, KeepsTheHostOutOfDeviceMemory) {
  const auto touch = [](Session& session) {
    const cuda::Address word = session.allocate(8);
    session.cuda.cuMemsetD8_v2(word, 0, 8);
    session.cuda.cuCtxSynchronize();
    return joined({*reinterpret_cast<volatile std::uint64_t*>(word)});
  };
  EXPECT_EQ(with_session("[gpu 0]\n", touch), "signal 11");
}

TEST(FakeCuda, ReportsAnIllegalAddressWhenItIsWaitedForAndThenAlways) {
  EXPECT_EQ(with_session("[gpu 0]\n",
                         [](Session& session) {
                           const cuda::Address word = session.allocate(8);
                           const int launched = session.flip(word + 4096, 1);
                           const int synchronised = session.cuda.cuCtxSynchronize().code;
                           cuda::Address more = 0;
                           int count = 0;
                           return joined({launched, synchronised, session.cuda.cuMemAlloc_v2(&more, 8).code,
                                          session.cuda.cuMemFree_v2(word).code, session.flip(word, 1),
                                          session.cuda.cuDeviceGetCount(&count).code});
                         }),
            "0 700 700 700 700 0");
}

TEST(FakeCuda, TellsAMisalignedAddressFromAnIllegalOne) {
  EXPECT_EQ(with_session("[gpu 0]\n",
                         [](Session& session) {
                           session.flip(session.allocate(64) + 4, 1);
                           return joined({session.cuda.cuCtxSynchronize().code});
                         }),
            "716");
}

TEST(FakeCuda, HasNoMemoryBehindAReservedAddress) {
  EXPECT_EQ(with_session("[gpu 0]\n",
                         [](Session& session) {
                           cuda::Address address = 0;
                           const int reserved = session.cuda.cuMemAddressReserve(&address, 2 << 20, 0, 0, 0).code;
                           session.flip(address, 1);
                           return joined({reserved, session.cuda.cuCtxSynchronize().code});
                         }),
            "0 700");
}

TEST(FakeCuda, KnowsOnlyKernelsOfTheImage) {
  EXPECT_EQ(with_session("[gpu 0]\n",
                         [](Session& session) {
                           cuda::Function function = nullptr;
                           const auto find = [&](const char* name) {
                             return session.cuda.cuModuleGetFunction(&function, session.module, name).code;
                           };
                           return joined({find("cutopsy_smoke"), find("cutopsy_smok"), find("cutopsy_pattern_fill")});
                         }),
            "0 500 500");
}

TEST(FakeCuda, RefusesLaunchesBeyondTheLimits) {
  EXPECT_EQ(with_session("[gpu 0]\n",
                         [](Session& session) {
                           cuda::Address results = session.allocate(1 << 20);
                           std::uint32_t seed = 1;
                           void* arguments[] = {&results, &seed};
                           const auto launch = [&](unsigned grid, unsigned block, unsigned shared_bytes) {
                             return session.cuda
                                 .cuLaunchKernel(session.smoke, grid, 1, 1, block, 1, 1, shared_bytes, nullptr,
                                                 arguments, nullptr)
                                 .code;
                           };
                           const int before = launch(1, 32, 200'000);
                           session.cuda.cuFuncSetAttribute(session.smoke,
                                                           cuda::FunctionAttribute::max_dynamic_shared_bytes, 200'000);
                           return joined({launch(0, 32, 0), launch(1, 512, 0), before, launch(1, 32, 200'000)});
                         }),
            "1 1 1 0");
}

TEST(FakeCuda, CountsFreeMemoryAndRunsOut) {
  EXPECT_EQ(with_session("[gpu 0]\nmemory.total = 64 MiB\nmemory.free = 8 MiB\n",
                         [](Session& session) {
                           std::size_t free = 0;
                           std::size_t total = 0;
                           cuda::Address address = 0;
                           const int too_much = session.cuda.cuMemAlloc_v2(&address, 9 << 20).code;
                           const int enough = session.cuda.cuMemAlloc_v2(&address, 8 << 20).code;
                           session.cuda.cuMemGetInfo_v2(&free, &total);
                           const std::size_t none = free;
                           session.cuda.cuMemFree_v2(address);
                           session.cuda.cuMemGetInfo_v2(&free, &total);
                           return joined({too_much, enough, none, free >> 20, total >> 20});
                         }),
            "2 0 0 8 64");
}

TEST(FakeCuda, HoldsAMemoryThatIsLargerThanTheMachines) {
  EXPECT_EQ(with_session("[gpu 0]\nmemory.total = 512 GiB\n",
                         [](Session& session) {
                           const cuda::Address start = session.allocate(500ULL << 30);
                           const cuda::Address far = start + (64ULL << 30);
                           session.flip(far, 6);
                           return joined({session.word(far)});
                         }),
            "6");
}

TEST(FakeCuda, AnswersNotReadyBeforeWorkIsDone) {
  EXPECT_EQ(with_session("[gpu 0]\n",
                         [](Session& session) {
                           cuda::Event event = nullptr;
                           session.cuda.cuEventCreate(&event, 0);
                           session.cuda.cuEventRecord(event, nullptr);
                           const int first = session.cuda.cuEventQuery(event).code;
                           return joined({first, session.cuda.cuEventQuery(event).code});
                         }),
            "600 0");
}

TEST(FakeCuda, DoesNotLetTheNullStreamWaitForANonBlockingOne) {
  EXPECT_EQ(with_session("[gpu 0]\n",
                         [](Session& session) {
                           cuda::Address word = session.allocate(8);
                           session.cuda.cuMemsetD8_v2(word, 0, 8);
                           session.cuda.cuCtxSynchronize();
                           cuda::Stream stream = nullptr;
                           session.cuda.cuStreamCreate(&stream, cuda::kStreamNonBlocking);
                           std::uint64_t bits = 9;
                           void* arguments[] = {&word, &bits};
                           session.cuda.cuLaunchKernel(session.plant, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
                           const std::uint64_t early = session.word(word);
                           session.cuda.cuStreamSynchronize(stream);
                           return joined({early, session.word(word)});
                         }),
            "0 9");
}

TEST(FakeCuda, LacksTheSymbolsThatTheScenarioTakesAway) {
  EXPECT_EQ(with_driver("missing = cuMemcpyPeer, cuCtxEnablePeerAccess\n[gpu 0]\n",
                        [](CudaDriver& cuda) {
                          return joined({static_cast<bool>(cuda.cuMemcpyPeer),
                                         static_cast<bool>(cuda.cuCtxEnablePeerAccess), cuda.cuInit(0).code});
                        }),
            "0 0 0");
  EXPECT_EQ(with_driver("missing = cuInit\n[gpu 0]\n", [](CudaDriver&) { return std::string("opened"); }),
            std::string(kLibrary) + " has no cuInit: it is not a usable CUDA driver");
}

TEST(FakeCuda, RefusesAScenarioThatNamesNoFunction) {
  const auto open = [](CudaDriver&) { return std::string("opened"); };
  EXPECT_EQ(with_driver("cu.cuMemAloc_v2 = 2\n[gpu 0]\n", open), "signal 6");
  EXPECT_EQ(with_driver("hang = cuCtxSynchronise\n[gpu 0]\n", open), "signal 6");
}

TEST(FakeCuda, FailsCrashesAndHangsAtTheNamedCall) {
  const auto initialise = [](CudaDriver& cuda) { return joined({cuda.cuInit(0).code}); };
  EXPECT_EQ(with_driver("cu.cuInit = 803\n[gpu 0]\n", initialise), "803");
  EXPECT_EQ(with_driver("crash = cuInit\n[gpu 0]\n", initialise), "signal 11");
  const auto hang = [](CudaDriver& cuda) {
    alarm(1);
    return joined({cuda.cuInit(0).code});
  };
  EXPECT_EQ(with_driver("hang = cuInit\n[gpu 0]\n", hang), "signal 14");
}

TEST(FakeCuda, InjectsAnErrorOnOneGpuAfterSomeCalls) {
  EXPECT_EQ(with_driver("[gpu 0]\n[gpu 1]\ncu.cuDeviceTotalMem_v2 = 999 after 1\n",
                        [](CudaDriver& cuda) {
                          cuda.cuInit(0);
                          std::size_t bytes = 0;
                          const auto ask = [&](int device) { return cuda.cuDeviceTotalMem_v2(&bytes, device).code; };
                          return joined({ask(0), ask(1), ask(1), ask(0)});
                        }),
            "0 0 999 0");
}

TEST(FakeCuda, KeepsAnInjectedDeviceErrorToo) {
  EXPECT_EQ(with_session(
                "[gpu 0]\nlaunch_error = 719\n",
                [](Session& session) {
                  const cuda::Address word = session.allocate(8);
                  const int launched = session.flip(word, 1);
                  return joined({launched, session.cuda.cuCtxSynchronize().code, session.cuda.cuMemFree_v2(word).code});
                }),
            "0 719 719");
}

TEST(FakeCuda, ClosesADeviceThatIsProhibitedTakenOrLost) {
  const auto retain = [](CudaDriver& cuda) {
    cuda.cuInit(0);
    cuda::Context context = nullptr;
    return joined({cuda.cuDevicePrimaryCtxRetain(&context, 0).code});
  };
  EXPECT_EQ(with_driver("[gpu 0]\ncompute_mode = 2\n", retain), "46");
  EXPECT_EQ(with_driver("[gpu 0]\ncompute_mode = 3\nprocesses = 4242:python:1 GiB\n", retain), "46");
  EXPECT_EQ(with_driver("[gpu 0]\ncompute_mode = 3\n", retain), "0");
  EXPECT_EQ(with_driver("[gpu 0]\nlost = 1\n", retain), "999");
}

// The names of the devices that a process sees.
std::string visible(const std::string& scenario, const std::string& devices) {
  return with_driver(scenario,
                     [](CudaDriver& cuda) -> std::string {
                       if (const int code = cuda.cuInit(0).code; code != 0) return std::to_string(code);
                       int count = 0;
                       cuda.cuDeviceGetCount(&count);
                       std::string names;
                       for (int i = 0; i < count; ++i) {
                         char name[64] = "";
                         cuda.cuDeviceGetName(name, sizeof name, i);
                         names += name;
                       }
                       return names;
                     },
                     {{"CUDA_VISIBLE_DEVICES", devices}, {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}});
}

TEST(FakeCuda, ShowsTheDevicesThatTheEnvironmentNames) {
  const std::string machine =
      "[gpu 0]\nname = a\nuuid = GPU-aa111111\n[gpu 1]\nname = b\nuuid = GPU-ab222222\n[gpu 2]\nname = c\nuuid = "
      "GPU-cc333333\n";
  EXPECT_EQ(visible(machine, ""), "abc");
  EXPECT_EQ(visible(machine, "2,0"), "ca");
  EXPECT_EQ(visible(machine, "1,7,0"), "b") << "stops at the first that is none";
  EXPECT_EQ(visible(machine, "7"), "100");
  EXPECT_EQ(visible(machine, "-1"), "100");
  EXPECT_EQ(visible(machine, "GPU-c,GPU-aa"), "ca") << "by a prefix";
  EXPECT_EQ(visible(machine, "GPU-a"), "100") << "an ambiguous prefix is none";
  EXPECT_EQ(visible(machine, "1,1"), "100") << "a repeated one empties the list";
}

TEST(FakeCuda, ShowsOneMigDeviceAtMost) {
  const std::string machine = "[gpu 0]\nname = a\n[gpu 1]\nname = b\nmig.devices = MIG-11111111, MIG-22222222\n";
  EXPECT_EQ(visible(machine, ""), "b");
  EXPECT_EQ(visible(machine, "MIG-2"), "b");
  EXPECT_EQ(visible(machine, "0"), "a");
  EXPECT_EQ(visible("[gpu 0]\nmig.mode = 1\n", ""), "100") << "MIG without instances leaves nothing";
}

TEST(FakeCuda, OrdersTheFastestFirstUnlessToldOtherwise) {
  const auto first = [](CudaDriver& cuda) {
    cuda.cuInit(0);
    char name[64] = "";
    cuda.cuDeviceGetName(name, sizeof name, 0);
    return std::string(name);
  };
  const std::string machine = "[gpu 0]\nname = slow\n[gpu 1]\nname = fast\nsm_count = 132\n";
  EXPECT_EQ(with_driver(machine, first, {{"CUDA_VISIBLE_DEVICES", ""}, {"CUDA_DEVICE_ORDER", ""}}), "fast");
}

// The code with which an image is refused or taken.
int load(const std::string& scenario, const void* image, const std::map<std::string, std::string>& environment = {}) {
  return std::stoi(with_driver(
      scenario,
      [&](CudaDriver& cuda) {
        Session session(cuda);
        cuda::Module module = nullptr;
        return joined({cuda.cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr).code});
      },
      environment));
}

TEST(FakeCuda, LooksIntoPtx) {
  const std::string device = "cuda_version = 12080\n[gpu 0]\ncompute_capability = 7.5\n";
  EXPECT_EQ(load(device, ".version 8.7\n.target sm_75\n.address_size 64\n"), 0);
  EXPECT_EQ(load(device, ".version 9.0\n.target sm_75\n.address_size 64\n"), 222);
  EXPECT_EQ(load(device, ".version 8.7\n.target sm_80\n.address_size 64\n"), 218);
  EXPECT_EQ(load(device, ".version 8.7\n.target sm_75\n"), 218);
  EXPECT_EQ(load(device, ".target sm_75\n.address_size 64\n"), 218);
  EXPECT_EQ(load(device, "\x01\x02\x03\x04 no image"), 200);
  EXPECT_EQ(load(device, kPtx, {{"CUDA_DISABLE_PTX_JIT", "1"}}), 223);
  EXPECT_EQ(load(device + "jit = 221\n", kPtx), 221);
}

TEST(FakeCuda, LooksIntoFatBinaries) {
  const auto image = kernels::kernel_image();
  if (image.empty()) GTEST_SKIP() << "built without a CUDA compiler";
  const auto on = [&](const std::string& compute_capability, const std::string& cuda_version) {
    return load("cuda_version = " + cuda_version + "\n[gpu 0]\ncompute_capability = " + compute_capability + "\n",
                image.data());
  };
  EXPECT_EQ(on("9.0", "13000"), 0);
  EXPECT_EQ(on("6.0", "13000"), 209);
  EXPECT_EQ(on("9.0", "12080"), 222) << "made by CUDA 13, code and PTX";
}

}  // namespace
}  // namespace cutopsy
