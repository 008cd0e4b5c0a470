// The checks that ask the CUDA driver, on simulated machines: what each answers, and that a fault is found by the
// checks that should and by no other.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "kernels/image.h"
#include "tests/unit/in_child.h"
#include "validators/check.h"
#include "validators/cuda_driver.h"

namespace cutopsy {
namespace {

using Names = std::map<std::string, std::string>;

constexpr const char* kLibraries = CUTOPSY_FAKE_GPU_LIBRARIES;

std::string word_of(const Answer& answer) {
  if (answer.reply != Reply::unknown) return answer.reply == Reply::yes ? "yes" : "no";
  if (answer.doubt == Doubt::not_applicable) return "not applicable";
  return answer.doubt == Doubt::undecided ? "undecided" : "could not run";
}

// Whether this program holds device kernels; without them the checks that need one cannot run.
bool has_kernels() {
  return !kernels::kernel_image().empty();
}

// What a check answers, "yes: detail"; "signal N" when its process dies. The product's own dlopen() finds the simulated
// libraries, since they are loaded by then.
std::string answer(const std::string& scenario, const std::string& name, const Names& parameters = {},
                   const Names& environment = {}) {
  Names variables = {{"CUDA_VISIBLE_DEVICES", ""}, {"CUDA_DEVICE_ORDER", ""}, {"NVIDIA_VISIBLE_DEVICES", ""}};
  for (const auto& [variable, value] : environment) variables[variable] = value;
  return test::in_child(
      scenario,
      [&]() -> std::string {
        dlopen((std::string(kLibraries) + "/libnvidia-ml.so.1").c_str(), RTLD_NOW);
        dlopen((std::string(kLibraries) + "/libcuda.so.1").c_str(), RTLD_NOW);
        std::string why_not;
        const auto cuda = CudaDriver::open(&why_not);
        if (!cuda) return "no driver: " + why_not;
        const Host host;
        Parameters given;
        for (const auto& [key, value] : parameters) given.set(key, value);
        const Gpu gpu;
        const Answer answer = find_check(name)->ask({.host = host,
                                                     .parameters = given,
                                                     .gpu = gpu,
                                                     .level = Level::quick,
                                                     .budget = std::chrono::seconds(5),
                                                     .cuda = cuda.get()});
        std::string text = word_of(answer) + ": " + answer.detail;
        for (const Measurement& one : answer.measurements) text += "; " + one.name + "=" + one.value;
        return text;
      },
      variables);
}

struct Case {
  std::string scenario;
  std::string check;
  Names parameters;
  std::string expected;   ///< how the answer begins
  std::string told = "";  ///< what else it says
  Names environment = {};
};

void expect_all(std::initializer_list<Case> cases) {
  for (const Case& one : cases) {
    const std::string got = answer(one.scenario, one.check, one.parameters, one.environment);
    EXPECT_TRUE(got.starts_with(one.expected)) << one.check << " on\n" << one.scenario << "answers\n" << got;
    EXPECT_NE(got.find(one.told), std::string::npos) << one.check << " on\n" << one.scenario << "answers\n" << got;
  }
}

const std::string kOne = "[gpu 0]\nmemory.total = 8 MiB\n";
const std::string kTwo = kOne + "[gpu 1]\nmemory.total = 8 MiB\n";

TEST(CudaChecks, CompareTheDriverWithTheJobsCuda) {
  expect_all({
      {"cuda_version = 12080\n" + kOne,
       "driver-runtime",
       {{"runtime", "13.0"}},
       "yes: the driver runs CUDA up to 12.8"},
      {"cuda_version = 12080\n" + kOne, "driver-runtime", {{"runtime", "cu118"}}, "no: "},
      {"cuda_version = 12080\n" + kOne, "driver-runtime", {{"runtime", "12.8"}}, "no: "},
      {"cuda_version = 12020\n" + kOne, "driver-runtime", {{"runtime", "12.8"}}, "undecided: "},
      {"cuda_version = 10010\n" + kOne, "driver-runtime", {{"runtime", "10.2"}}, "yes: "},
      {kOne, "driver-runtime", {}, "undecided: the driver runs CUDA up to 13.0"},
      {kOne, "driver-runtime", {{"runtime", "latest"}}, "could not run: "},
      {"cu.cuInit = 803\n" + kOne, "driver-runtime", {}, "yes: ", "error=803"},
      {"cu.cuInit = 804\n" + kOne, "driver-runtime", {}, "yes: ", "compatibility package"},
      {"cu.cuInit = 34\n" + kOne, "driver-runtime", {}, "could not run: ", "stub"},
      {"cu.cuInit = 999\n" + kOne, "driver-runtime", {}, "undecided: "},
      {"cu.cuDriverGetVersion = 999\n" + kOne, "driver-runtime", {}, "could not run: "},
  });
}

TEST(CudaChecks, CompareWhatCudaSeesWithWhatThereIs) {
  const auto visible = [](const char* devices) { return Names{{"CUDA_VISIBLE_DEVICES", devices}}; };
  expect_all({
      {kTwo, "device-visibility", {}, "no: CUDA sees 2 GPUs, NVML 2 GPUs"},
      {kTwo, "device-visibility", {{"index", "1"}}, "no: "},
      {kTwo, "device-visibility", {{"index", "2"}}, "yes: ", "there is no device 2"},
      {kTwo, "device-visibility", {}, "no: CUDA sees 1 GPU, NVML 2 GPUs", "", visible("1")},
      {kTwo, "device-visibility", {{"index", "1"}}, "yes: ", "CUDA_VISIBLE_DEVICES=0", visible("0")},
      {kTwo, "device-visibility", {}, "yes: CUDA sees 0 GPUs, NVML 2 GPUs", "", visible("-1")},
      {kTwo, "device-visibility", {}, "yes: CUDA sees 1 GPU", "first wrong entry", visible("0,5,1")},
      {kTwo, "device-visibility", {}, "yes: CUDA sees 1 GPU", "", {{"CUDA_VISIBLE_DEVICES", "GPU-00000000,5"}}},
      {"[gpu 0]\n[gpu 1]\nmig.devices = MIG-1, MIG-2\n", "device-visibility", {}, "no: ", "MIG"},
      {"cu.cuInit = 999\n" + kOne, "device-visibility", {}, "undecided: "},
      {"nvml.nvmlInit_v2 = 9\ncu.cuInit = 100\n" + kOne, "device-visibility", {}, "could not run: no GPU is found"},
  });
}

TEST(CudaChecks, AskEveryPairForPeerAccess) {
  expect_all({
      {kTwo, "p2p-capability", {}, "no: each of 2 directed pairs"},
      {kOne + "p2p.access = none\n[gpu 1]\n", "p2p-capability", {}, "yes: 1 of 2", "no access from 0 to 1"},
      {kOne + "p2p.access = none\n[gpu 1]\n", "p2p-capability", {{"from", "1"}}, "no: "},
      {kOne + "p2p.atomics = none\n[gpu 1]\n", "p2p-capability", {}, "no: "},
      {kOne + "p2p.atomics = none\n[gpu 1]\n", "p2p-capability", {{"atomics", "1"}}, "yes: ", "no native atomics"},
      {kOne, "p2p-capability", {}, "not applicable: "},
      {kTwo, "p2p-capability", {{"from", "7"}}, "could not run: "},
      {"cu.cuDeviceCanAccessPeer = 999\n" + kTwo, "p2p-capability", {}, "could not run: "},
      {"missing = cuDeviceCanAccessPeer\n" + kTwo, "p2p-capability", {}, "could not run: ", "has no"},
      {"missing = cuDeviceGetP2PAttribute\n" + kTwo, "p2p-capability", {}, "no: "},
  });
}

TEST(CudaChecks, MakeMemoryForTheFabric) {
  const std::string fabric = kOne + "attribute.128 = 1\nattribute.132 = 1\n";
  expect_all({
      {kOne, "fabric-memory", {}, "not applicable: "},
      {fabric, "fabric-memory", {}, "no: "},
      {fabric + "cu.cuMemCreate = 800\n", "fabric-memory", {}, "yes: ", "error=800"},
      {fabric + "cu.cuMemCreate = 2\n", "fabric-memory", {}, "could not run: "},
      {"missing = cuMemCreate\n" + fabric, "fabric-memory", {}, "could not run: ", "has no cuMemCreate"},
      {kTwo, "multicast", {}, "not applicable: device 0"},
      {fabric, "multicast", {}, "not applicable: CUDA sees only one GPU"},
      {fabric + fabric, "multicast", {}, "no: a multicast team of 2 GPUs"},
      {fabric + fabric + "cu.cuMulticastAddDevice = 802\n", "multicast", {}, "yes: ", "error=802"},
      {"cu.cuDeviceGetAttribute = 999\n" + fabric + fabric, "multicast", {}, "could not run: "},
  });
}

// The checks of the CUDA driver that say yes, sorted; one that dies or hangs counts by that.
std::set<std::string> found(const std::string& scenario, const Names& environment = {}) {
  std::set<std::string> names;
  for (const Check* check : all_checks()) {
    const std::set<Need> elsewhere = {Need::nothing, Need::nvml, Need::load_record};  // not asked in a child with CUDA
    if (elsewhere.contains(check->need)) continue;
    const std::string got = answer(scenario, std::string(check->name), {}, environment);
    if (got.starts_with("yes")) names.emplace(check->name);
    if (got.starts_with("signal")) names.insert(std::string(check->name) + " dies");
  }
  return names;
}

TEST(CudaChecks, RaiseNothingOnHealthyMachines) {
  std::string eight;
  for (int i = 0; i < 8; ++i) eight += "[gpu]\nmemory.total = 8 MiB\n";
  const std::set<std::string> nothing;
  EXPECT_EQ(found(kOne), nothing);
  EXPECT_EQ(found("[gpu 0]\n[gpu 1]\nmemory.total = 8 MiB\nmig.devices = MIG-1, MIG-2\n"), nothing);
  EXPECT_EQ(found("cuda_version = 11040\nmissing = cuDeviceGetUuid_v2, cuMemAddressReserve, cuMemAddressFree\n[gpu "
                  "0]\nmemory.total = 8 MiB\ncompute_capability = 7.5\n"),
            nothing);
  EXPECT_EQ(found(kTwo, {{"CUDA_VISIBLE_DEVICES", "1"}}), nothing);
  for (const char* architecture : {"6.0", "7.5", "8.0", "8.6", "8.9", "10.0", "12.0"}) {
    EXPECT_EQ(found(kOne + "compute_capability = " + architecture + "\n"), nothing) << architecture;
  }
}

TEST(CudaChecks, FindEachFaultAndNoOther) {
  if (!has_kernels()) GTEST_SKIP() << "built without a CUDA compiler";
  using Checks = std::set<std::string>;
  EXPECT_EQ(found("cu.cuInit = 803\n" + kOne), (Checks{"context-smoke", "driver-runtime"}));
  EXPECT_EQ(found(kTwo, {{"CUDA_VISIBLE_DEVICES", "-1"}}), (Checks{"context-smoke", "device-visibility"}));
  EXPECT_EQ(found(kOne + "cu.cuDevicePrimaryCtxRetain = 46\n"), (Checks{"context-smoke"}));
  EXPECT_EQ(found(kOne + "jit = 221\n"), (Checks{"ptx-jit"}));
  EXPECT_EQ(found(kOne + "memory.largest = 1 MiB\n"), (Checks{"alloc-probe"}));
  EXPECT_EQ(found(kOne + "stuck = 0x100000:4:4\n"), (Checks{"memory-pattern"}));
  EXPECT_EQ(found(kOne + "p2p.access = none\n[gpu 1]\nmemory.total = 8 MiB\n"), (Checks{"p2p-capability"}));
}

}  // namespace
}  // namespace cutopsy
