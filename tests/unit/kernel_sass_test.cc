// The machine code in this program for each architecture, disassembled: the instructions that a check names are there,
// memory moves by 16 bytes, and no register was spilled. By nvdisasm of the CUDA Toolkit, else the one of tests/python.
#include <gtest/gtest.h>
#include <stdio.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "kernels/host_machine.h"
#include "kernels/image.h"
#include "tests/e2e/python_tools.h"
#include "tests/unit/temporary_folder.h"
#include "validators/gemm_problem.h"

namespace cutopsy {
namespace {

using kernels::Format;

// The cubins of the image by architecture; the fields as validators/fatbin.h lists them.
std::map<unsigned, std::string> cubins() {
  const auto image = kernels::kernel_image();
  std::map<unsigned, std::string> found;
  for (std::size_t at = 16; at + 64 <= image.size();) {
    std::uint16_t kind = 0;
    std::uint32_t header = 0, architecture = 0;
    std::uint64_t bytes = 0;
    std::memcpy(&kind, image.data() + at, 2);
    std::memcpy(&header, image.data() + at + 4, 4);
    std::memcpy(&bytes, image.data() + at + 8, 8);
    std::memcpy(&architecture, image.data() + at + 28, 4);
    if (kind == 2) found[architecture].assign(reinterpret_cast<const char*>(image.data()) + at + header, bytes);
    at += header + bytes;
  }
  return found;
}

// Empty where there is none.
const std::string& disassembler() {
#ifdef CUTOPSY_NVDISASM
  static const std::string path = CUTOPSY_NVDISASM;
#else
  static const std::string path = [] {
    const auto tools = python_tools();
    if (!tools) return std::string();
    for (const auto& file : std::filesystem::recursive_directory_iterator(*tools + "/lib")) {
      if (file.path().filename() == "nvdisasm") return file.path().string();
    }
    return std::string();
  }();
#endif
  return path;
}

std::string disassembled(const std::string& cubin) {
  TemporaryFolder folder;
  folder.write("kernels.cubin", cubin);
  const std::string command = "exec " + disassembler() + " -c " + (folder.path() / "kernels.cubin").string();
  FILE* const output = popen(command.c_str(), "r");
  if (!output) return "";
  std::string text;
  std::array<char, 65536> buffer;
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), output)) > 0;)
    text.append(buffer.data(), got);
  return pclose(output) == 0 ? text : "";
}

// Mnemonics with how often each is there, by kernel.
using Mnemonics = std::map<std::string, int>;

// "  /*0040*/   @!P0 BRA `(.L_x_0) ;" is "BRA".
std::string mnemonic_of(const std::string& line) {
  std::size_t at = line.find("*/");
  if (at == std::string::npos) return "";
  at = line.find_first_not_of(' ', at + 2);
  if (at != std::string::npos && line[at] == '@') at = line.find_first_not_of(' ', line.find(' ', at));
  return at == std::string::npos ? "" : line.substr(at, line.find_first_of(" ;", at) - at);
}

std::map<std::string, Mnemonics> kernels_of(const std::string& sass) {
  std::map<std::string, Mnemonics> kernels;
  Mnemonics* kernel = nullptr;
  for (std::size_t at = 0; at < sass.size();) {
    const std::size_t end = std::min(sass.find('\n', at), sass.size());
    const std::string line = sass.substr(at, end - at);
    at = end + 1;
    if (line.starts_with(".text.") && line.ends_with(":")) kernel = &kernels[line.substr(6, line.size() - 7)];
    if (kernel) ++(*kernel)[mnemonic_of(line)];
  }
  return kernels;
}

int count_of(const Mnemonics& mnemonics, const std::string& beginning, const std::string& part = "") {
  int count = 0;
  for (const auto& [name, times] : mnemonics) {
    if (name.starts_with(beginning) && name.find(part) != std::string::npos) count += times;
  }
  return count;
}

// The instruction behind a path that gemm_problem.h names, and its beginning in machine code.
std::string instruction_of(Format format, const std::string& path) {
  static const std::map<std::pair<Format, std::string>, std::string> kInstructions = {
      {{Format::fp32, "fma"}, "FFMA"},
      {{Format::tf32, "mma.sync m16n8k8"}, "HMMA.1688.F32.TF32"},
      {{Format::fp16, "two mma.sync m16n8k8"}, "HMMA.1688.F32"},
      {{Format::fp16, "mma.sync m16n8k16"}, "HMMA.16816.F32"},
      {{Format::bf16, "mma.sync m16n8k16"}, "HMMA.16816.F32.BF16"},
      {{Format::fp8, "mma.sync m16n8k32"}, "QMMA.16832.F32.E4M3.E4M3"},
      {{Format::fp8, "wgmma m64n32k32"}, "QGMMA.64x32x32.F32.E4M3.E4M3"},
  };
  const auto found = kInstructions.find({format, path});
  return found == kInstructions.end() ? "no instruction of " + path : found->second;
}

class KernelSass : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    if (GetParam() == 0) GTEST_SKIP() << "built without a CUDA compiler";
    if (disassembler().empty()) GTEST_SKIP() << "no nvdisasm, and no package index to take it from";
    kernels_ = kernels_of(disassembled(cubins()[GetParam()]));
    ASSERT_EQ(kernels_.size(), kernels::host_kernels().size()) << "the disassembler failed or left out kernels";
  }
  std::map<std::string, Mnemonics> kernels_;
};

TEST_P(KernelSass, IsMadeOfTheInstructionsThatTheChecksName) {
  const int architecture = static_cast<int>(GetParam());
  const std::map<std::string, Format> formats = {{"fp32", Format::fp32},
                                                 {"tf32", Format::tf32},
                                                 {"fp16", Format::fp16},
                                                 {"bf16", Format::bf16},
                                                 {"fp8", Format::fp8}};
  for (const auto& [name, format] : formats) {
    const GemmPath path = path_of(format, architecture, architecture);
    const Mnemonics& mnemonics = kernels_["cutopsy_gemm_" + name];
    if (path.instruction.empty()) {
      // Nothing, or the instruction of another format.
      EXPECT_EQ(count_of(mnemonics, "QMMA") + count_of(mnemonics, "QGMMA"), 0) << name;
    } else {
      EXPECT_GE(count_of(mnemonics, instruction_of(format, path.instruction)), 8) << name << " " << path.instruction;
    }
  }
  for (const auto& [name, mnemonics] : kernels_) {
    EXPECT_EQ(count_of(mnemonics, "LDL") + count_of(mnemonics, "STL"), 0) << name << " uses local memory";
  }
  struct Row {
    const char* kernel;
    int loads, stores;
  };
  for (const Row& row : {Row{"cutopsy_pattern_fill", 0, 4},
                         {"cutopsy_pattern_verify", 20, 0},
                         {"cutopsy_pattern_invert", 20, 20},
                         {"cutopsy_walk", 1, 1}}) {
    EXPECT_GE(count_of(kernels_[row.kernel], "LDG.E", ".128"), row.loads) << row.kernel;
    EXPECT_EQ(count_of(kernels_[row.kernel], "LDG.E", ".128"), count_of(kernels_[row.kernel], "LDG")) << row.kernel;
    EXPECT_GE(count_of(kernels_[row.kernel], "STG.E", ".128"), row.stores) << row.kernel;
  }
}

std::set<unsigned> architectures() {
  std::set<unsigned> found;
  for (const auto& [architecture, cubin] : cubins()) found.insert(architecture);
  if (found.empty()) found.insert(0);
  return found;
}

INSTANTIATE_TEST_SUITE_P(Architectures, KernelSass, testing::ValuesIn(architectures()),
                         [](const auto& one) { return "sm_" + std::to_string(one.param); });

}  // namespace
}  // namespace cutopsy
