// The checks that load a GPU, each on simulated machines: with its fault, without, and where it cannot tell.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "kernels/image.h"
#include "tests/unit/in_child.h"
#include "tests/unit/temporary_folder.h"
#include "validators/check.h"
#include "validators/cuda_driver.h"
#include "validators/pattern_controls.h"

namespace cutopsy {
namespace {

constexpr const char* kLibrary = CUTOPSY_FAKE_GPU_LIBRARIES "/libcuda.so.1";

struct Case {
  const char* name;
  const char* check;
  const char* scenario;
  const char* expected;  ///< the answer begins so: "yes: ", "no: ", "undecided: ", "could not run: " and its detail
  std::map<std::string, std::string, std::less<>> parameters = {};
  Level level = Level::quick;
  std::chrono::milliseconds budget{60'000};
  bool wsl = false;
  std::map<std::string, std::string> environment = {};
  std::vector<std::string> measured = {};  ///< "name=value", each of which must be there
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

std::string text_of(const Answer& answer) {
  std::string text = answer.reply == Reply::yes              ? "yes: "
                     : answer.reply == Reply::no             ? "no: "
                     : answer.doubt == Doubt::undecided      ? "undecided: "
                     : answer.doubt == Doubt::could_not_run  ? "could not run: "
                     : answer.doubt == Doubt::not_applicable ? "not applicable: "
                                                             : "?: ";
  text += answer.detail;
  for (const Measurement& one : answer.measurements) text += "\n" + one.name + "=" + one.value;
  return text;
}

std::string answer_of(const Case& one) {
  TemporaryFolder sysroot;
  if (one.wsl) sysroot.write("proc/sys/kernel/osrelease", "5.15.167.4-microsoft-standard-WSL2\n");
  return test::in_child(
      one.scenario,
      [&]() -> std::string {
        std::string why_not;
        const auto cuda = CudaDriver::open(&why_not, kLibrary);
        if (!cuda) return why_not;
        const Host host(one.wsl ? sysroot.path().string() : "");
        const Parameters parameters(one.parameters);
        Gpu gpu;
        gpu.busy = std::string_view(one.scenario).find("processes") != std::string_view::npos;
        return text_of(find_check(one.check)->ask({.host = host,
                                                   .parameters = parameters,
                                                   .gpu = gpu,
                                                   .level = one.level,
                                                   .budget = one.budget,
                                                   .cuda = cuda.get()}));
      },
      one.environment);
}

class GpuCheck : public testing::TestWithParam<Case> {};

TEST_P(GpuCheck, AnswersAsTheMachineIs) {
  const std::string answer = answer_of(GetParam());
  if (kernels::kernel_image().empty() && answer.starts_with("could not run: ") &&
      answer.find("was built without") != std::string::npos) {
    GTEST_SKIP() << "built without a CUDA compiler: " << answer;
  }
  EXPECT_TRUE(answer.starts_with(GetParam().expected)) << answer;
  for (const std::string& one : GetParam().measured) {
    EXPECT_NE((answer + "\n").find("\n" + one + "\n"), std::string::npos) << one << " in " << answer;
  }
}

constexpr const char* kHealthy = "[gpu 0]\n";

const Case kSmoke[] = {
    {"healthy", "context-smoke", kHealthy, "no: a context opens"},
    {"old_driver", "context-smoke",
     "cuda_version = 11040\nmissing = cuFuncSetAttribute, cuMemAddressReserve\n[gpu 0]\n", "no: a context opens"},
    {"lost", "context-smoke", "[gpu 0]\nlost = 1\n", "yes: cuDevicePrimaryCtxRetain failed with error 999"},
    {"init_fails", "context-smoke", "cu.cuInit = 802\n[gpu 0]\n", "yes: cuInit failed with error 802"},
    {"launch_fails", "context-smoke", "[gpu 0]\nlaunch_error = 719\n", "yes: cuCtxSynchronize failed with error 719"},
    {"memory_fails", "context-smoke", "[gpu 0]\ncu.cuMemsetD8_v2 = 214\n", "yes: cuMemsetD8_v2 failed with error 214"},
    {"computes_wrongly", "context-smoke", "[gpu 0]\nbad_sm = 3:4\n",
     "yes: 2048 of 16384 threads computed a wrong value"},
    {"copies_wrongly", "context-smoke", "[gpu 0]\nhost_copy.to_host = 8\n", "yes: 1 of 1048576 bytes came back other"},
    {"cannot_read_results", "context-smoke", "[gpu 0]\ncu.cuMemcpyDtoH_v2 = 700 after 1\n",
     "yes: cuMemcpyDtoH_v2 failed with error 700"},
    {"crash", "context-smoke", "crash = cuCtxSynchronize\n[gpu 0]\n", "signal 11"},
    {"full", "context-smoke", "[gpu 0]\nmemory.free = 0\n", "undecided: no memory is left"},
    {"held", "context-smoke", "[gpu 0]\ncompute_mode = 3\nprocesses = 4242:1 MiB\n",
     "undecided: another process holds"},
    {"held_by_nobody", "context-smoke", "[gpu 0]\ncu.cuDevicePrimaryCtxRetain = 46\n", "yes: cuDevicePrimaryCtxRetain"},
    {"too_old_for_our_image", "context-smoke", "[gpu 0]\ncompute_capability = 3.0\n", "could not run: no form"},
};
INSTANTIATE_TEST_SUITE_P(ContextSmoke, GpuCheck, testing::ValuesIn(kSmoke),
                         [](const auto& one) { return one.param.name; });

const Case kArch[] = {
    {"own_image", "arch-support", kHealthy, "no: this GPU is of compute capability 9.0, and"},
    {"machine_code",
     "arch-support",
     kHealthy,
     "no: the library holds sm_80, sm_90, which runs on",
     {{"architectures", "sm_80 sm_90"}}},
    {"same_major", "arch-support", "[gpu 0]\ncompute_capability = 8.6\n", "no: ", {{"architectures", "8.0;9.0"}}},
    {"later_minor",
     "arch-support",
     "[gpu 0]\ncompute_capability = 8.0\n",
     "yes: ",
     {{"architectures", "sm_86, sm_90"}}},
    {"other_major",
     "arch-support",
     "[gpu 0]\ncompute_capability = 12.0\n",
     "yes: ",
     {{"architectures", "sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90"}}},
    {"ptx", "arch-support", "[gpu 0]\ncompute_capability = 12.0\n", "no: ", {{"architectures", "7.5 8.0 9.0+PTX"}}},
    {"ptx_that_is_too_new",
     "arch-support",
     "[gpu 0]\ncompute_capability = 8.0\n",
     "yes: ",
     {{"architectures", "compute_90"}}},
    {"specific", "arch-support", "[gpu 0]\ncompute_capability = 10.3\n", "yes: ", {{"architectures", "sm_100a"}}},
    {"family", "arch-support", "[gpu 0]\ncompute_capability = 10.3\n", "no: ", {{"architectures", "sm_100f"}}},
    {"jit_switched_off",
     "arch-support",
     "[gpu 0]\ncompute_capability = 12.0\n",
     "yes: ",
     {{"architectures", "compute_90"}},
     Level::quick,
     std::chrono::seconds(60),
     false,
     {{"CUDA_DISABLE_PTX_JIT", "1"}}},
    {"tegra", "arch-support", "[gpu 0]\ncompute_capability = 8.7\n", "undecided: ", {{"architectures", "sm_80"}}},
    {"no_architecture", "arch-support", kHealthy, "could not run: ", {{"architectures", "gfx90a"}}},
    {"no_context", "arch-support", "[gpu 0]\nlost = 1\n", "could not run: cuDevicePrimaryCtxRetain"},
};
INSTANTIATE_TEST_SUITE_P(ArchSupport, GpuCheck, testing::ValuesIn(kArch),
                         [](const auto& one) { return one.param.name; });

const Case kJit[] = {
    {"healthy", "ptx-jit", "cuda_version = 12040\n[gpu 0]\n",
     "no: the driver compiles PTX 6.0\nnewest_ptx=8.4\nnewest_ptx_cuda=12.4"},
    {"known_version",
     "ptx-jit",
     "cuda_version = 12040\n[gpu 0]\n",
     "no: the driver compiles PTX 8.4",
     {{"version", "8.4"}}},
    {"newer_version",
     "ptx-jit",
     "cuda_version = 12040\n[gpu 0]\n",
     "yes: PTX 8.7 does not load: the PTX is newer than the driver (cuModuleLoadDataEx failed with error 222",
     {{"version", "8.7"}}},
    {"made_by_newer_cuda",
     "ptx-jit",
     "cuda_version = 12040\n[gpu 0]\n",
     "yes: PTX 8.5 does not load",
     {{"cuda", "12.6.1"}}},
    {"made_by_older_cuda",
     "ptx-jit",
     "cuda_version = 12040\n[gpu 0]\n",
     "no: the driver compiles PTX 7.8",
     {{"cuda", "11.8"}}},
    {"no_compiler", "ptx-jit", "[gpu 0]\njit = 221\n", "yes: PTX 6.0 does not load: the driver's PTX compiler"},
    {"broken_compiler", "ptx-jit", "[gpu 0]\njit = 218\n", "yes: PTX 6.0 does not load: the driver's compiler refuses"},
    {"switched_off",
     "ptx-jit",
     kHealthy,
     "yes: PTX 6.0 does not load: compiling PTX is switched off",
     {},
     Level::quick,
     std::chrono::seconds(60),
     false,
     {{"CUDA_DISABLE_PTX_JIT", "1"}}},
    {"other_error", "ptx-jit", "[gpu 0]\njit = 304\n", "could not run: cuModuleLoadDataEx failed with error 304"},
    {"no_version", "ptx-jit", kHealthy, "could not run: the version given is none", {{"version", "8"}}},
};
INSTANTIATE_TEST_SUITE_P(PtxJit, GpuCheck, testing::ValuesIn(kJit), [](const auto& one) { return one.param.name; });

const Case kLaunch[] = {
    {"healthy", "launch-limits", kHealthy, "no: launches with 1024 threads"},
    {"old_driver", "launch-limits", "missing = cuFuncSetAttribute\n[gpu 0]\n",
     "no: launches with 1024 threads, with 49152"},
    {"within",
     "launch-limits",
     kHealthy,
     "no: ",
     {{"threads", "1024"}, {"shared_bytes", "100000"}, {"registers", "64"}}},
    {"too_many_threads", "launch-limits", kHealthy, "yes: the launch asked for 1025 threads", {{"threads", "1025"}}},
    {"too_much_shared_memory",
     "launch-limits",
     "[gpu 0]\nattribute.97 = 65536\n",
     "yes: the launch asked for 65537 bytes of shared memory in a block, this GPU allows 65536",
     {{"shared_bytes", "65537"}}},
    {"too_many_registers",
     "launch-limits",
     kHealthy,
     "yes: the launch asked for 131072 registers in a block",
     {{"threads", "1024"}, {"registers", "128"}}},
    {"fails", "launch-limits", "[gpu 0]\nlaunch_error = 701\n", "yes: a launch with 1024 threads"},
    {"computes_wrongly", "launch-limits", "[gpu 0]\nbad_sm = 3:4\n", "yes: a launch with 1024 threads"},
    {"cannot_ask", "launch-limits", "[gpu 0]\ncu.cuDeviceGetAttribute = 999\n", "could not run: cuDeviceGetAttribute"},
};
INSTANTIATE_TEST_SUITE_P(LaunchLimits, GpuCheck, testing::ValuesIn(kLaunch),
                         [](const auto& one) { return one.param.name; });

const Case kAlloc[] = {
    {"all_that_may_be_taken", "alloc-probe", kHealthy,
     "no: 64 MiB of 64 MiB of GPU memory are free; 57.5 MiB could be"},
    {"fits",
     "alloc-probe",
     kHealthy,
     "no: 64 MiB of 64 MiB of GPU memory are free; 20 MiB could",
     {{"size", "20 MiB"}}},
    {"does_not_fit",
     "alloc-probe",
     "[gpu 0]\nmemory.free = 16 MiB\n",
     "yes: 16 MiB of 64 MiB of GPU memory are free, less than the 20 MiB asked for",
     {{"size", "20 MiB"}}},
    {"fragmented",
     "alloc-probe",
     "[gpu 0]\nmemory.largest = 8 MiB\n",
     "yes: 64 MiB of 64 MiB of GPU memory are free, yet",
     {{"size", "20 MiB"}}},
    {"would_leave_too_little", "alloc-probe", kHealthy, "undecided: ", {{"size", "63 MiB"}}},
    {"cannot_be_written",
     "alloc-probe",
     "[gpu 0]\ncu.cuMemsetD8_v2 = 700\n",
     "yes: 20 MiB could be had but not written",
     {{"size", "20 MiB"}}},
    {"integrated",
     "alloc-probe",
     "[gpu 0]\nintegrated = 1\n",
     "undecided: 64 MiB of 64 MiB of GPU memory are free; 20 MiB",
     {{"size", "20 MiB"}}},
    {"wsl", "alloc-probe", kHealthy, "undecided: ", {{"size", "20 MiB"}}, Level::quick, std::chrono::seconds(60), true},
    {"cannot_ask", "alloc-probe", "[gpu 0]\ncu.cuMemGetInfo_v2 = 999\n", "could not run: cuMemGetInfo_v2 failed"},
    {"absurd_size", "alloc-probe", kHealthy, "yes: ", {{"size", "999999999 PiB"}}},
};
INSTANTIATE_TEST_SUITE_P(AllocProbe, GpuCheck, testing::ValuesIn(kAlloc),
                         [](const auto& one) { return one.param.name; });

// Small, for a busy machine: the simulated device takes a second for each 100 MiB.
constexpr const char* kSmall = "[gpu 0]\nmemory.total = 8 MiB\n";

const Case kPattern[] = {
    {.name = "healthy",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "no: no word differed in 7.1 MiB of 8 MiB of memory (89%)",
     .measured = {"tested_bytes=7549728", "total_bytes=8388608", "clean_passes=2", "kernels=fatbin"}},
    {.name = "ecc_is_on",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 1 MiB\nattribute.32 = 1\n",
     .expected = "no: ",
     .measured = {"ecc=on"}},
    {.name = "old_driver",
     .check = "memory-pattern",
     .scenario = "cuda_version = 11040\n[gpu 0]\nmemory.total = 8 MiB\n",
     .expected = "no: ",
     .parameters = {{"bytes", "1 MiB"}},
     .measured = {"kernels=lowered PTX"}},
    {.name = "stuck_at_one",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nstuck = 0x12340:0x100:0x100\n",
     .expected = "yes: 1 of 943716 words differ",
     .measured = {"wrong_words=1", "first_offset=0x12340", "first_mask=0x100"}},
    {.name = "stuck_at_zero",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nstuck = 0x12340:0x100:0\n",
     .expected = "yes: 1 of ",
     .measured = {"first_offset=0x12340", "first_mask=0x100"}},
    {.name = "flipping_in_the_first_word",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nflip = 0:1\n",
     .expected = "yes: 1 of ",
     .measured = {"first_offset=0x0", "first_mask=0x1", "clean_passes=0"}},
    {.name = "flipping_in_the_last_word",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nflip = 1048568:0x80000000\n",
     .expected = "yes: 1 of 131072 ",
     .parameters = {{"bytes", "1 MiB"}},
     .measured = {"first_offset=0xffff8", "first_mask=0x80000000"}},
    {.name = "flipping_once",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nflip_once = 0x100000:2\n",
     .expected = "yes: 1 of ",
     .measured = {"first_offset=0x100000", "first_mask=0x2"}},
    {.name = "misread_once",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nmisread_once = 0x200008:0x40\n",
     .expected = "yes: 1 of ",
     .measured = {"first_offset=0x200008", "first_mask=0x40"}},
    {.name = "aliased",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nalias_bit = 20\n",
     .expected = "yes: 4",
     .measured = {"clean_passes=0"}},
    {.name = "ecc",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nuncorrectable = 4096\n",
     .expected = "yes: reading the pattern back met an uncorrectable"},
    {.name = "beyond_a_quick_test",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nflip = 0x200000:1\n",
     .expected = "no: no word differed in 2 MiB of 8 MiB of memory (25%)",
     .parameters = {{"bytes", "2 MiB"}},
     .measured = {"coverage_percent=25"}},
    {.name = "in_pieces",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nmemory.largest = 2 MiB\n",
     .expected = "no: no word differed in 7.1 MiB"},
    {.name = "faulty_in_a_later_piece",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nmemory.largest = 2 MiB\nflip = 0x500000:1\n",
     .expected = "yes: 1 of "},
    {.name = "integrated",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nintegrated = 1\n",
     .expected = "no: no word differed in 819 KiB of 8 MiB",
     .measured = {"limited_because=the device's memory is the host's"}},
    {.name = "wsl",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "no: no word differed in 819 KiB",
     .wsl = true},
    {.name = "more_than_there_is",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "no: no word differed in 7.1 MiB",
     .parameters = {{"bytes", "1 TiB"}}},
    {.name = "thorough",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "no: ",
     .parameters = {{"bytes", "64 KiB"}},
     .level = Level::thorough,
     .budget = std::chrono::milliseconds(600)},
    {.name = "no_time",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "could not run: there was no time",
     .budget = std::chrono::milliseconds(0)},
    {.name = "launch_fails",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nlaunch_error = 719\n",
     .expected = "could not run: cuCtxSynchronize failed with error 719"},
    {.name = "later_launch_fails",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\ncu.cuLaunchKernel = 702 after 9\n",
     .expected = "could not run: cuLaunchKernel failed with error 702"},
    {.name = "nothing_free",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nmemory.free = 16 KiB\n",
     .expected = "undecided: only"},
    {.name = "nothing_to_be_had",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\ncu.cuMemAlloc_v2 = 2\n",
     .expected = "undecided: what was free could not be had"},
};
INSTANTIATE_TEST_SUITE_P(MemoryPattern, GpuCheck, testing::ValuesIn(kPattern),
                         [](const auto& one) { return one.param.name; });

// A cell that is stuck at the very bit that the pattern wants there and the test flips: the pattern reads well, but
// the control does not come back.
TEST(MemoryPattern, ProvesNothingWhenAControlDoesNotComeBack) {
  constexpr std::uint64_t kBytes = 1 << 20;
  const Control control = choose_controls(kBytes / 8, 1, 1)[3];
  const std::uint64_t value = kernels::address_hash(control.number, 1) & control.difference;
  const std::string scenario = "[gpu 0]\nmemory.total = 8 MiB\nstuck = " + std::to_string(8 * control.number) + ":" +
                               std::to_string(control.difference) + ":" + std::to_string(value) + "\n";
  const std::string answer = answer_of({.name = "blind",
                                        .check = "memory-pattern",
                                        .scenario = scenario.c_str(),
                                        .expected = "",
                                        .parameters = {{"bytes", std::to_string(kBytes)}, {"seed", "1"}}});
  if (kernels::kernel_image().empty()) GTEST_SKIP() << "built without a CUDA compiler";
  EXPECT_TRUE(answer.starts_with("could not run: errors that the test had planted did not come back")) << answer;
}
const Case kSweep[] = {
    {.name = "healthy",
     .check = "sm-sweep",
     .scenario = kSmall,
     .expected = "no: each of 8 multiprocessors computed",
     .measured = {"multiprocessors_seen=8", "runs=2", "kernels=fatbin"}},
    {.name = "old_driver",
     .check = "sm-sweep",
     .scenario = "cuda_version = 11040\nmissing = cuFuncSetAttribute\n[gpu 0]\n",
     .expected = "no: each of 8 multiprocessors",
     .measured = {"kernels=lowered PTX"}},
    // The simulated multiprocessors are 0, 1, 3, 4, 6, ...: numbers of blocks would name another one.
    {.name = "one_wrong",
     .check = "sm-sweep",
     .scenario = "[gpu 0]\nbad_sm = 6:1\n",
     .expected = "yes: multiprocessor 6 computed wrong values",
     .measured = {"wrong_multiprocessors=6", "runs=2"}},
    {.name = "wrong_in_the_highest_bit",
     .check = "sm-sweep",
     .scenario = "[gpu 0]\nbad_sm = 10:0x8000000000000000\n",
     .expected = "yes: multiprocessor 10 computed"},
    {.name = "one_never_reached",
     .check = "sm-sweep",
     .scenario = "[gpu 0]\nidle_sm = 2\n",
     .expected = "undecided: only 7 of 8 multiprocessors",
     .measured = {"multiprocessors_seen=7", "runs=10"}},
    {.name = "one_wrong_and_one_never_reached",
     .check = "sm-sweep",
     .scenario = "[gpu 0]\nidle_sm = 2\nbad_sm = 6:1\n",
     .expected = "yes: multiprocessor 6"},
    {.name = "launch_fails",
     .check = "sm-sweep",
     .scenario = "[gpu 0]\nlaunch_error = 719\n",
     .expected = "could not run: cuCtxSynchronize failed with error 719"},
    {.name = "cannot_ask",
     .check = "sm-sweep",
     .scenario = "[gpu 0]\ncu.cuDeviceGetAttribute = 999\n",
     .expected = "could not run: cuDeviceGetAttribute"},
};
INSTANTIATE_TEST_SUITE_P(SmSweep, GpuCheck, testing::ValuesIn(kSweep), [](const auto& one) { return one.param.name; });
const Case kCopy[] = {
    {.name = "healthy",
     .check = "copy-integrity",
     .scenario = kSmall,
     .expected = "no: no word changed in 2 MiB from the host to the device and as much back",
     .parameters = {{"bytes", "1 MiB"}},
     .measured = {"copy_bytes=1048576", "clean_bytes_each_way=2097152"}},
    {.name = "to_the_device",
     .check = "copy-integrity",
     .scenario = "[gpu 0]\nhost_copy.to_device = 0x400\n",
     .expected = "yes: data changed on the way through pinned memory, from the host to the device: 1 word at offset "
                 "0x80000, in the bits 0x400",
     .parameters = {{"bytes", "1 MiB"}},
     .measured = {"direction=host to device", "first_offset=0x80000", "first_mask=0x400", "clean_bytes_each_way=0"}},
    {.name = "to_the_host",
     .check = "copy-integrity",
     .scenario = "[gpu 0]\nhost_copy.to_host = 1\n",
     .expected = "yes: data changed on the way through pinned memory, from the device to the host: 1 word at offset "
                 "0x80000, in the bits 0x1",
     .parameters = {{"bytes", "1 MiB"}},
     .measured = {"direction=device to host", "host_memory=pinned"}},
    {.name = "both_ways",
     .check = "copy-integrity",
     .scenario = "[gpu 0]\nhost_copy.to_device = 2\nhost_copy.to_host = 4\n",
     .expected = "yes: ",
     .parameters = {{"bytes", "1 MiB"}},
     .measured = {"direction=both", "wrong_words=2"}},
    {.name = "without_pinned_memory",
     .check = "copy-integrity",
     .scenario = "[gpu 0]\ncu.cuMemHostAlloc = 2\nhost_copy.to_host = 1\n",
     .expected = "yes: data changed on the way through pageable memory",
     .parameters = {{"bytes", "1 MiB"}}},
    {.name = "the_memory_itself",
     .check = "copy-integrity",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nflip = 0x1000:1\n",
     .expected = "undecided: the device's own memory differs from what its kernels wrote: 1 word at offset 0x1000",
     .parameters = {{"bytes", "1 MiB"}}},
    {.name = "launch_fails",
     .check = "copy-integrity",
     .scenario = "[gpu 0]\nlaunch_error = 719\n",
     .expected = "could not run: cuCtxSynchronize failed with error 719"},
    {.name = "copy_fails",
     .check = "copy-integrity",
     .scenario = "[gpu 0]\ncu.cuMemcpyHtoD_v2 = 999\n",
     .expected = "could not run: cuMemcpyHtoD_v2 failed with error 999",
     .parameters = {{"bytes", "1 MiB"}}},
    {.name = "nothing_free",
     .check = "copy-integrity",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nmemory.free = 16 KiB\n",
     .expected = "undecided: less than 64 KiB"},
};
INSTANTIATE_TEST_SUITE_P(CopyIntegrity, GpuCheck, testing::ValuesIn(kCopy),
                         [](const auto& one) { return one.param.name; });
constexpr const char* kTwo = "[gpu 0]\n[gpu 1]\n";
const Case kPeers[] = {
    {.name = "healthy",
     .check = "p2p-integrity",
     .scenario = kTwo,
     .expected = "no: no word changed in loads, stores and copies between 2 directed pairs of GPUs",
     .parameters = {{"bytes", "256 KiB"}},
     .measured = {"gpus=2", "pairs=2", "clean_bytes=1572864"}},
    {.name = "three_gpus_over_several_rounds",
     .check = "p2p-integrity",
     .scenario = "[gpu 0]\n[gpu 1]\n[gpu 2]\n",
     .expected = "no: ",
     .parameters = {{"bytes", "64 KiB"}},
     .level = Level::standard,
     .measured = {"pairs=6", "clean_bytes=9437184"}},
    {.name = "loads",
     .check = "p2p-integrity",
     .scenario = "[gpu 0]\npeer.load = 1:0x10\n[gpu 1]\n",
     .expected = "yes: loads of GPU 0 from GPU 1 changed 1638",
     .parameters = {{"bytes", "256 KiB"}},
     .measured = {"path=loads", "from=0", "to=1", "first_mask=0x10"}},
    {.name = "stores_of_the_other_direction",
     .check = "p2p-integrity",
     .scenario = "[gpu 0]\n[gpu 1]\npeer.store = 0:0x8000000000000000\n",
     .expected = "yes: stores of GPU 1 to GPU 0 changed 1638",
     .parameters = {{"bytes", "256 KiB"}},
     .measured = {"path=stores", "from=1", "to=0", "first_mask=0x8000000000000000"}},
    {.name = "copies",
     .check = "p2p-integrity",
     .scenario = "[gpu 0]\npeer.copy = 1:4\n[gpu 1]\n",
     .expected = "yes: copies of GPU 0 to GPU 1 changed 1 word at offset 0x20000, in the bits 0x4",
     .parameters = {{"bytes", "256 KiB"}},
     .measured = {"path=copies", "from=0", "to=1", "first_offset=0x20000"}},
    {.name = "copies_of_the_other_direction",
     .check = "p2p-integrity",
     .scenario = "[gpu 0]\n[gpu 1]\npeer.copy = 0:4\n",
     .expected = "yes: copies of GPU 1 to GPU 0",
     .parameters = {{"bytes", "256 KiB"}}},
    {.name = "a_copy_fails",
     .check = "p2p-integrity",
     .scenario = "[gpu 0]\n[gpu 1]\ncu.cuMemcpyPeer = 220\n",
     .expected = "yes: copies of GPU 1 to GPU 0 fail: cuMemcpyPeer failed with error 220",
     .parameters = {{"bytes", "256 KiB"}}},
    {.name = "the_memory_itself",
     .check = "p2p-integrity",
     .scenario = "[gpu 0]\n[gpu 1]\nmemory.total = 8 MiB\nflip = 0:1\n",
     .expected = "undecided: GPU 1 has a fault in its own memory: 1 word at offset 0x0",
     .parameters = {{"bytes", "1 MiB"}}},
    {.name = "one_way_access",
     .check = "p2p-integrity",
     .scenario = "[gpu 0]\np2p.access = none\n[gpu 1]\n",
     .expected = "no: no word changed in loads, stores and copies between 1 directed pair",
     .parameters = {{"bytes", "64 KiB"}}},
    {.name = "no_access",
     .check = "p2p-integrity",
     .scenario = "[gpu 0]\np2p.access = none\n[gpu 1]\np2p.access = none\n",
     .expected = "not applicable: no GPU here has direct access",
     .parameters = {{"bytes", "64 KiB"}}},
    {.name = "access_that_cannot_be_had",
     .check = "p2p-integrity",
     .scenario = "[gpu 0]\n[gpu 1]\ncu.cuCtxEnablePeerAccess = 711\n",
     .expected = "could not run: access from GPU 1 to GPU 0 is offered but cannot be had",
     .parameters = {{"bytes", "64 KiB"}}},
    {.name = "one_gpu",
     .check = "p2p-integrity",
     .scenario = kHealthy,
     .expected = "not applicable: CUDA sees only one"},
    {.name = "a_dead_gpu",
     .check = "p2p-integrity",
     .scenario = "[gpu 0]\n[gpu 1]\nlost = 1\n",
     .expected = "could not run: there is no context: cuDevicePrimaryCtxRetain"},
};
INSTANTIATE_TEST_SUITE_P(P2pIntegrity, GpuCheck, testing::ValuesIn(kPeers),
                         [](const auto& one) { return one.param.name; });

const Case kGemm[] = {
    {.name = "hopper",
     .check = "sdc-gemm",
     .scenario = kSmall,
     .expected = "no: each of 8 multiprocessors multiplied fp32, tf32, fp16 and bf16 matrices right, bit by bit; fp8 "
                 "not covered: on compute capability 9.0",
     .measured = {"fp32=fma", "tf32=mma.sync m16n8k8", "fp16=mma.sync m16n8k16", "bf16=mma.sync m16n8k16"}},
    {.name = "ada",
     .check = "sdc-gemm",
     .scenario = "[gpu 0]\nsm_count = 3\ncompute_capability = 8.9\n",
     .expected = "no: each of 3 multiprocessors multiplied fp32, tf32, fp16, bf16 and fp8 matrices",
     .measured = {"fp8=mma.sync m16n8k32"}},
    {.name = "turing",
     .check = "sdc-gemm",
     .scenario = "[gpu 0]\nsm_count = 3\ncompute_capability = 7.5\n",
     .expected = "no: each of 3 multiprocessors multiplied fp32 and fp16 matrices right, bit by bit; tf32 not covered",
     .measured = {"fp16=two mma.sync m16n8k8"}},
    {.name = "old_driver",
     .check = "sdc-gemm",
     .scenario = "cuda_version = 11040\n[gpu 0]\nsm_count = 3\n",
     .expected = "no: each of 3 multiprocessors multiplied fp32 matrices right, bit by bit; tf32 not covered: its "
                 "kernel was compiled for compute capability 5.0",
     .measured = {"kernels=lowered PTX"}},
    {.name = "one_ulp_on_one_multiprocessor",
     .check = "sdc-gemm",
     .scenario = "[gpu 0]\nbad_sm = 6:1\n",
     .expected = "yes: multiprocessor 6 multiplied fp32 matrices wrongly again and again",
     .measured = {"format=fp32", "wrong_multiprocessors=6", "runs=2"}},
    {.name = "one_never_reached",
     .check = "sdc-gemm",
     .scenario = "[gpu 0]\nsm_count = 3\nidle_sm = 1\ncompute_capability = 7.5\n",
     .expected = "undecided: only 2 of 3 multiprocessors"},
    {.name = "launch_fails",
     .check = "sdc-gemm",
     .scenario = "[gpu 0]\nlaunch_error = 719\n",
     .expected = "could not run: cuCtxSynchronize failed with error 719"},
    {.name = "full",
     .check = "sdc-gemm",
     .scenario = "[gpu 0]\ncu.cuMemAlloc_v2 = 2\n",
     .expected = "undecided: what was free could not be had"},
};
INSTANTIATE_TEST_SUITE_P(SdcGemm, GpuCheck, testing::ValuesIn(kGemm), [](const auto& one) { return one.param.name; });

const Case kSmMemory[] = {
    {.name = "healthy",
     .check = "sm-memory",
     .scenario = kHealthy,
     .expected = "no: the shared memory of each of 8 multiprocessors (227 KiB) and 512 KiB that stay in the L2",
     .measured = {"shared_runs=2", "cache_passes=8", "shared_bytes=232448"}},
    {.name = "stuck_in_shared_memory",
     .check = "sm-memory",
     .scenario = "[gpu 0]\nstuck_shared = 4:0x1238:0x80\n",
     .expected = "yes: the shared memory of multiprocessor 4 differed again and again in 2 marches: ",
     .measured = {"memory=shared", "wrong_multiprocessors=4", "first_offset=0x1238", "first_mask=0x80"}},
    {.name = "stuck_beyond_the_ordinary_maximum",
     .check = "sm-memory",
     .scenario = "[gpu 0]\nstuck_shared = 4:232440:1\n",
     .expected = "yes: the shared memory of multiprocessor 4 differed",
     .measured = {"first_offset=0x38bf8"}},
    {.name = "in_the_cache",
     .check = "sm-memory",
     .scenario = "[gpu 0]\nsm_count = 2\nattribute.38 = 2097152\nflip = 0x5000:2\n",
     .expected = "yes: data that stays in the L2 cache changed: 1 word at offset 0x5000, in the bits 0x2",
     .measured = {"memory=L2", "first_mask=0x2"}},
    {.name = "one_never_reached",
     .check = "sm-memory",
     .scenario = "[gpu 0]\nsm_count = 3\nidle_sm = 1\n",
     .expected = "undecided: only 2 of 3 multiprocessors"},
    {.name = "no_cache",
     .check = "sm-memory",
     .scenario = "[gpu 0]\nsm_count = 2\nattribute.38 = 0\n",
     .expected = "undecided: the driver does not tell of an L2 cache"},
    {.name = "launch_fails",
     .check = "sm-memory",
     .scenario = "[gpu 0]\nlaunch_error = 719\n",
     .expected = "could not run: cuCtxSynchronize failed with error 719"},
};
INSTANTIATE_TEST_SUITE_P(SmMemory, GpuCheck, testing::ValuesIn(kSmMemory),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace cutopsy
