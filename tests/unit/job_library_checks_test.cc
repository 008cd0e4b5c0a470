// Checks of the libraries that a job finds or has loaded, and of its PyTorch, asked about a copied machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "fatbin_bytes.h"
#include "tests/unit/copied_machine.h"
#include "validators/library_search.h"

namespace cutopsy {
namespace {

using testing::HasSubstr;

constexpr const char* kLib = "/usr/lib/x86_64-linux-gnu/";
constexpr const char* kSite = "/opt/env/lib/python3.11/site-packages";

void add_driver(const CopiedMachine& machine, const std::string& version) {
  for (const std::string name : {"libcuda.so", "libnvidia-ml.so", "libnvidia-ptxjitcompiler.so"}) {
    machine.write(kLib + name + "." + version, "not an ELF file");
    machine.link(kLib + name + ".1", name + "." + version);
  }
}

void add_torch(const CopiedMachine& machine, const std::string& cuda, const std::string& hip = "None") {
  machine.write(std::string(kSite) + "/torch/version.py",
                "from typing import Optional\n\n__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip']\n"
                "__version__ = '2.7.1'\ndebug = False\ncuda: Optional[str] = " +
                    cuda + "\ngit_version = 'e2d141dbde55c2a4370fac5165b0561b6af4798b'\nhip: Optional[str] = " + hip +
                    "\n");
}

void add_gpu(const CopiedMachine& machine, const std::string& name) {
  machine.write("/sys/bus/pci/devices/0000:3b:00.0/vendor", "0x10de\n");
  machine.write("/sys/bus/pci/devices/0000:3b:00.0/class", "0x030200\n");
  machine.write("/proc/driver/nvidia/gpus/0000:3b:00.0/information", "Model: \t\t " + name + "\n");
}

TEST(LibrarySearch, GoesThroughTheVariableThenTheCacheThenTheSystem) {
  const CopiedMachine machine;
  machine.write("/a/libx.so.1", "");
  machine.write("/usr/lib/libx.so.1", "");
  machine.add_job(42, {"LD_LIBRARY_PATH=relative::/missing/:/b/../a/"});
  machine.add_job(43, {});
  const auto by_variable = LibrarySearch(machine.host(), machine.job(42)).find("libx.so.1");
  ASSERT_TRUE(by_variable);
  EXPECT_EQ(by_variable->path, "/a/libx.so.1");
  EXPECT_TRUE(by_variable->from_variable);
  const auto by_system = LibrarySearch(machine.host(), machine.job(43)).find("libx.so.1");
  ASSERT_TRUE(by_system);
  EXPECT_EQ(by_system->path, "/usr/lib/libx.so.1");
  EXPECT_FALSE(by_system->from_variable);
}

// The layout of glibc's sysdeps/generic/dl-cache.h.
std::string cache_bytes(std::uint32_t flags, const std::string& name, const std::string& path) {
  std::string bytes(48 + 24, '\0');
  bytes.replace(0, 20, "glibc-ld.so.cache1.1");
  put(bytes, 20, std::uint32_t{1});
  put(bytes, 48, flags);
  put(bytes, 52, static_cast<std::uint32_t>(bytes.size()));
  put(bytes, 56, static_cast<std::uint32_t>(bytes.size() + name.size() + 1));
  return bytes + name + '\0' + path + '\0';
}

TEST(LibrarySearch, ReadsTheLoadersCache) {
  for (const std::uint32_t flags : {0x0303U, 0x0a03U, 0x0003U}) {
    const CopiedMachine machine;
    machine.write("/opt/x/libx.so.1", "");
    machine.write("/etc/ld.so.cache", cache_bytes(flags, "libx.so.1", "/opt/x/libx.so.1"));
    machine.add_job(42, {});
    const auto found = LibrarySearch(machine.host(), machine.job(42)).find("libx.so.1");
    EXPECT_EQ(found.has_value(), flags != 0x0003U) << "a library of 32 bits is no choice";
  }
}

TEST(LibrarySearch, SurvivesABrokenCache) {
  const std::string whole = cache_bytes(0x0303, "libx.so.1", "/opt/x/libx.so.1");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const CopiedMachine machine;
    std::string bytes = whole.substr(0, size);
    if (size > 24) put(bytes, 20, ~std::uint32_t{0});
    machine.write("/etc/ld.so.cache", bytes);
    machine.add_job(42, {});
    EXPECT_FALSE(LibrarySearch(machine.host(), machine.job(42)).find("libx.so.1"));
  }
}

TEST(CompareVersions, GoesByNumbers) {
  EXPECT_LT(compare_versions("550.54", "550.127"), 0);
  EXPECT_GT(compare_versions("580.1", "550.127.5"), 0);
  EXPECT_EQ(compare_versions("12.0", "12"), 0);
}

// The stub of the toolkit that built this, where there is one.
TEST(StubLib, KnowsTheToolkitsStubByItsCode) {
  const std::string stub = "/usr/local/cuda/lib64/stubs/libcuda.so";
  if (!std::filesystem::exists(stub)) GTEST_SKIP() << "no CUDA Toolkit here";
  for (const char* const name : {"/copied/libcuda.so.1", "/copied/libcuda.so"}) {
    const CopiedMachine machine;
    machine.write("/copied/unrelated", "");
    std::filesystem::copy_file(stub, machine.at(name));
    const Answer answer = machine.ask("stub-lib", {{"ld_library_path", "/copied"}});
    EXPECT_EQ(answer.reply, Reply::yes) << answer.detail;
  }
}

TEST(StubLib, KnowsAStubByItsFolder) {
  const CopiedMachine machine;
  machine.write("/cuda/lib64/stubs/libcuda.so", "");
  machine.link("/usr/lib/libcuda.so.1", "/cuda/lib64/stubs/libcuda.so");
  machine.add_job(42, {});
  EXPECT_EQ(machine.ask("stub-lib", {{"ld_library_path", "/cuda/lib64/stubs"}}).reply, Reply::yes);
  EXPECT_EQ(machine.ask("stub-lib", {{"pid", "42"}}).reply, Reply::yes) << "a link in the system's folder";
}

TEST(StubLib, IsNotMisledByAStubBehindTheDriver) {
  const CopiedMachine machine;
  add_driver(machine, "550.54.15");
  machine.link(std::string(kLib) + "libcuda.so", "libcuda.so.1");
  machine.write("/cuda/lib64/stubs/libcuda.so", "");
  const Answer answer = machine.ask("stub-lib", {{"ld_library_path", std::string(kLib) + ":/cuda/lib64/stubs"}});
  EXPECT_EQ(answer.reply, Reply::no) << answer.detail;
}

TEST(StubLib, GoesByWhatIsLoadedWhenItIsKnown) {
  const CopiedMachine machine;
  add_driver(machine, "550.54.15");
  machine.write("/cuda/stubs/libcuda.so", "");
  machine.add_job(42, {"LD_LIBRARY_PATH=/cuda/stubs"},
                  "7f00-7f01 r-xp 0 08:01 5 " + std::string(kLib) + "libcuda.so.550.54.15\n");
  machine.add_job(43, {}, "7f00-7f01 r-xp 0 08:01 5 /cuda/stubs/libcuda.so\n");
  EXPECT_EQ(machine.ask("stub-lib", {{"pid", "42"}}).reply, Reply::no);
  EXPECT_EQ(machine.ask("stub-lib", {{"pid", "43"}}).reply, Reply::yes);
}

TEST(StubLib, IsUnknownWithoutAnEnvironment) {
  const CopiedMachine machine;
  EXPECT_EQ(machine.ask("stub-lib", {}).doubt, Doubt::not_applicable);
  EXPECT_EQ(machine.ask("stub-lib", {{"pid", "42"}}).doubt, Doubt::could_not_run);
  EXPECT_EQ(machine.ask("stub-lib", {{"ld_library_path", ""}}).reply, Reply::no) << "no libcuda, no stub";
}

struct CompatCase {
  const char* gpu;
  const char* module;
  const char* compat;
  Reply reply;
};

TEST(CompatLib, DependsOnGpuAndDriver) {
  const std::vector<CompatCase> cases = {
      {"NVIDIA H200", "550.54.15", "580.65.06", Reply::no},
      {"Tesla V100-SXM2-16GB", "535.1", "550.54.15", Reply::no},
      {"NVIDIA H200", "580.65.06", "550.54.15", Reply::yes},
      {"NVIDIA GeForce RTX 4090", "550.54.15", "580.65.06", Reply::yes},
      {"NVIDIA TITAN RTX", "550.54.15", "580.65.06", Reply::yes},
      {"NVIDIA RTX 6000 Ada Generation", "550.54.15", "580.65.06", Reply::unknown},
  };
  for (const CompatCase& each : cases) {
    const CopiedMachine machine;
    add_gpu(machine, each.gpu);
    machine.write("/sys/module/nvidia/version", each.module);
    const std::string file = std::string("libcuda.so.") + each.compat;
    machine.write("/usr/local/cuda-13.0/compat/" + file, "");
    machine.link("/usr/local/cuda-13.0/compat/libcuda.so.1", file);
    const Answer answer = machine.ask("compat-lib", {{"ld_library_path", "/usr/local/cuda-13.0/compat"}});
    EXPECT_EQ(answer.reply, each.reply) << each.gpu << ": " << answer.detail;
  }
}

TEST(CompatLib, IsNoFaultWhereTheDriversOwnIsFound) {
  const CopiedMachine machine;
  add_driver(machine, "550.54.15");
  EXPECT_EQ(machine.ask("compat-lib", {{"ld_library_path", ""}}).reply, Reply::no);
  EXPECT_EQ(CopiedMachine().ask("compat-lib", {{"ld_library_path", ""}}).doubt, Doubt::not_applicable);
}

TEST(DriverFiles, AreOfOneVersion) {
  const CopiedMachine machine;
  add_driver(machine, "550.54.15");
  EXPECT_EQ(machine.ask("driver-files", {}).reply, Reply::no);
  EXPECT_EQ(CopiedMachine().ask("driver-files", {}).doubt, Doubt::not_applicable);
}

TEST(DriverFiles, AreOfTwoVersions) {
  const CopiedMachine machine;
  add_driver(machine, "550.54.15");
  std::filesystem::remove(machine.at(std::string(kLib) + "libnvidia-ml.so.1"));
  machine.link(std::string(kLib) + "libnvidia-ml.so.1", "libnvidia-ml.so.535.161.08");
  machine.write(std::string(kLib) + "libnvidia-ml.so.535.161.08", "");
  const Answer answer = machine.ask("driver-files", {});
  EXPECT_EQ(answer.reply, Reply::yes);
  EXPECT_THAT(answer.detail, HasSubstr("535.161.08"));
}

TEST(JitLibrary, StandsBesideTheDriver) {
  const CopiedMachine machine;
  add_driver(machine, "550.54.15");
  EXPECT_EQ(machine.ask("jit-library", {{"ld_library_path", ""}}).reply, Reply::no);
  std::filesystem::remove(machine.at(std::string(kLib) + "libnvidia-ptxjitcompiler.so.1"));
  EXPECT_EQ(machine.ask("jit-library", {{"ld_library_path", ""}}).reply, Reply::yes);
}

TEST(JitLibrary, IsUnknownWithoutADriverThatTellsItsVersion) {
  const CopiedMachine machine;
  EXPECT_EQ(machine.ask("jit-library", {{"ld_library_path", ""}}).doubt, Doubt::not_applicable);
  machine.write("/usr/lib/libcuda.so.1", "");
  EXPECT_EQ(machine.ask("jit-library", {{"ld_library_path", ""}}).doubt, Doubt::undecided);
}

TEST(TorchBuild, SaysWhatItIsBuiltFor) {
  const CopiedMachine machine;
  add_gpu(machine, "NVIDIA H200");
  add_torch(machine, "'12.6'");
  EXPECT_EQ(machine.ask("torch-build", {{"site", kSite}}).reply, Reply::no);
  add_torch(machine, "None");
  EXPECT_EQ(machine.ask("torch-build", {{"site", kSite}}).reply, Reply::yes);
  add_torch(machine, "None", "'6.2'");
  EXPECT_THAT(machine.ask("torch-build", {{"site", kSite}}).detail, HasSubstr("ROCm 6.2"));
}

TEST(TorchBuild, IsFoundByInterpreterAndByProcess) {
  const CopiedMachine machine;
  add_gpu(machine, "NVIDIA H200");
  add_torch(machine, "None");
  machine.add_job(42, {"VIRTUAL_ENV=/opt/env"});
  machine.add_job(43, {"CONDA_PREFIX=/opt/env"});
  machine.add_job(44, {}, "7f00-7f01 r-xp 0 08:01 5 " + std::string(kSite) + "/torch/lib/libtorch_cpu.so\n");
  machine.add_job(45, {});
  machine.link("/proc/45/exe", "/opt/env/bin/python3.11");
  machine.add_job(46, {});
  machine.link("/proc/46/exe", "/opt/env/bin/sleep");
  EXPECT_EQ(machine.ask("torch-build", {{"pid", "46"}}).doubt, Doubt::not_applicable) << "no interpreter";
  EXPECT_EQ(machine.ask("torch-build", {{"python", "/opt/env/bin/python"}}).reply, Reply::yes);
  for (const char* const pid : {"42", "43", "44", "45"}) {
    EXPECT_EQ(machine.ask("torch-build", {{"pid", pid}}).reply, Reply::yes) << pid;
  }
}

TEST(TorchBuild, IsUnknownWithoutTorchWithoutAGpuOrWithAnotherFile) {
  const CopiedMachine machine;
  EXPECT_EQ(machine.ask("torch-build", {{"site", kSite}}).doubt, Doubt::not_applicable);
  EXPECT_EQ(machine.ask("torch-build", {{"site", "/../../etc"}}).doubt, Doubt::not_applicable);
  add_torch(machine, "None");
  EXPECT_EQ(machine.ask("torch-build", {{"site", kSite}}).doubt, Doubt::not_applicable) << "no GPU to miss";
  machine.write(std::string(kSite) + "/torch/version.py", "import os\n");
  EXPECT_EQ(machine.ask("torch-build", {{"site", kSite}}).doubt, Doubt::could_not_run);
}

Answer ask_arch(const std::vector<std::string>& containers, const std::string& capability) {
  const CopiedMachine machine;
  std::string section;
  for (const std::string& container : containers) section += container;
  machine.write("/opt/libkernels.so", library_bytes({{".nv_fatbin", section}}));
  Gpu gpu;
  gpu.compute_capability = capability;
  return machine.ask("library-arch", {{"library", "/opt/libkernels.so"}}, gpu);
}

TEST(LibraryArch, FindsCodeForTheGpu) {
  EXPECT_EQ(ask_arch({container_bytes({{2, 80}, {2, 90}})}, "9.0").reply, Reply::no);
  EXPECT_EQ(ask_arch({container_bytes({{2, 80}, {1, 80}})}, "12.0").reply, Reply::no) << "by its PTX";
}

TEST(LibraryArch, MissesCodeForTheGpu) {
  const Answer answer = ask_arch({container_bytes({{2, 80}, {2, 90}})}, "12.0");
  EXPECT_EQ(answer.reply, Reply::yes);
  EXPECT_THAT(answer.detail, HasSubstr("sm_80, sm_90"));
  EXPECT_EQ(ask_arch({container_bytes({{2, 90, 0x100011}})}, "10.0").reply, Reply::yes) << "suffix a";
}

TEST(LibraryArch, DoesNotMissCodeForOneKindOfGpuWhereOtherCodeRuns) {
  EXPECT_EQ(ask_arch({container_bytes({{2, 80}}), container_bytes({{2, 90, 0x100011}})}, "8.0").reply, Reply::no);
}

TEST(LibraryArch, IsUndecidedWhenOnlyPartsRun) {
  EXPECT_EQ(ask_arch({container_bytes({{2, 80}}), container_bytes({{2, 90}})}, "8.0").doubt, Doubt::undecided);
}

TEST(LibraryArch, ReadsTheLibrariesOfTorch) {
  const CopiedMachine machine;
  add_torch(machine, "'12.6'");
  machine.write(std::string(kSite) + "/torch/lib/libtorch_cuda.so",
                library_bytes({{".nv_fatbin", container_bytes({{2, 80}, {2, 90}})}}));
  machine.write(std::string(kSite) + "/torch/lib/libtorch_cuda_linalg.so",
                library_bytes({{".nv_fatbin", container_bytes({{2, 80}, {1, 90}})}}));
  EXPECT_EQ(machine.ask("library-arch", {{"site", kSite}, {"compute_capability", "sm_90"}}).reply, Reply::no);
  const Answer answer = machine.ask("library-arch", {{"site", kSite}, {"compute_capability", "sm_120"}});
  EXPECT_EQ(answer.reply, Reply::yes) << answer.detail;
  EXPECT_THAT(answer.detail, HasSubstr("libtorch_cuda.so"));
}

TEST(LibraryArch, IsUnknownWithoutLibraryCodeOrGpu) {
  const CopiedMachine machine;
  EXPECT_EQ(machine.ask("library-arch", {{"compute_capability", "9.0"}}).doubt, Doubt::not_applicable);
  EXPECT_EQ(machine.ask("library-arch", {{"library", "/absent"}, {"compute_capability", "9.0"}}).doubt,
            Doubt::could_not_run);
  machine.write("/plain.so", library_bytes({{".text", "code"}}));
  EXPECT_EQ(machine.ask("library-arch", {{"library", "/plain.so"}, {"compute_capability", "9.0"}}).doubt,
            Doubt::not_applicable);
  EXPECT_EQ(machine.ask("library-arch", {{"library", "/plain.so"}}).doubt, Doubt::could_not_run);
}

TEST(RuntimeLibs, FindsTwoOfOneFamily) {
  const CopiedMachine machine;
  const std::string torch = "7f00-7f01 r-xp 0 08:01 5 /env/torch/lib/libcudart-9335f6a2.so.12\n";
  machine.add_job(42, {}, torch + "7f02-7f03 r-xp 0 08:01 6 /usr/local/cuda/lib64/libcudart.so.12.1.105\n");
  machine.add_job(43, {},
                  torch +
                      "7f02-7f03 r-xp 0 08:01 5 /other/name/libcudart.so.12\n"
                      "7f03-7f04 r-xp 0 08:01 7 /env/libcudnn.so.9\n"
                      "7f04-7f05 r-xp 0 08:01 8 /env/libcudnn_ops.so.9\n");
  machine.add_job(44, {}, "7f00-7f01 r-xp 0 08:01 5 /usr/lib/libc.so.6\n");
  EXPECT_EQ(machine.ask("runtime-libs", {{"pid", "42"}}).reply, Reply::yes);
  EXPECT_EQ(machine.ask("runtime-libs", {{"pid", "43"}}).reply, Reply::no) << "two paths to one file, and two families";
  EXPECT_EQ(machine.ask("runtime-libs", {{"pid", "44"}}).doubt, Doubt::not_applicable);
  EXPECT_EQ(machine.ask("runtime-libs", {{"pid", "45"}}).doubt, Doubt::could_not_run);
  EXPECT_EQ(machine.ask("runtime-libs", {}).doubt, Doubt::not_applicable);
}

// A PyTorch that came with cuDNN 9.1.0 and cuBLAS 12.1.3, and a folder with `file` under the name `soname`.
Answer ask_library_path(const std::string& soname, const std::string& file) {
  const CopiedMachine machine;
  add_torch(machine, "'12.1'");
  const std::string site = kSite;
  machine.write(site + "/nvidia_cudnn_cu12-9.1.0.70.dist-info/METADATA", "");
  machine.write(site + "/nvidia_cublas_cu12-12.1.3.1.dist-info/METADATA", "");
  machine.write(site + "/nvidia/cudnn/lib/libcudnn.so.9", "");
  machine.write(site + "/nvidia/cublas/lib/libcublas.so.12", "");
  machine.write("/path/" + file, "");
  if (file != soname) machine.link("/path/" + soname, file);
  return machine.ask("library-path", {{"site", site}, {"ld_library_path", "/path"}});
}

TEST(LibraryPath, KnowsOlderLibrariesAndOtherCudnns) {
  EXPECT_EQ(ask_library_path("libcudnn.so.9", "libcudnn.so.9.8.0").reply, Reply::yes);
  EXPECT_EQ(ask_library_path("libcudnn.so.9", "libcudnn.so.9.0.0").reply, Reply::yes);
  EXPECT_EQ(ask_library_path("libcublas.so.12", "libcublas.so.12.0.2.224").reply, Reply::yes);
}

TEST(LibraryPath, LetsPassWhatDoesNotStandInTheWay) {
  EXPECT_EQ(ask_library_path("libcudnn.so.9", "libcudnn.so.9.1.0").reply, Reply::no);
  EXPECT_EQ(ask_library_path("libcublas.so.12", "libcublas.so.12.1.3.1").reply, Reply::no);
  EXPECT_EQ(ask_library_path("libcublas.so.11", "libcublas.so.11.5.1").reply, Reply::no) << "another name";
}

TEST(LibraryPath, IsUnsureOfNewerOnesAndThoseWithoutVersion) {
  EXPECT_EQ(ask_library_path("libcublas.so.12", "libcublas.so.12.4.5.8").doubt, Doubt::undecided);
  EXPECT_EQ(ask_library_path("libcublas.so.12", "libcublas.so.12").doubt, Doubt::undecided);
  const CopiedMachine machine;
  EXPECT_EQ(machine.ask("library-path", {{"ld_library_path", "/path"}}).doubt, Doubt::not_applicable);
  EXPECT_EQ(machine.ask("library-path", {{"ld_library_path", ""}}).reply, Reply::no);
  add_torch(machine, "'12.1'");
  EXPECT_EQ(machine.ask("library-path", {{"ld_library_path", "/path"}, {"site", kSite}}).doubt, Doubt::undecided);
}

}  // namespace
}  // namespace cutopsy
