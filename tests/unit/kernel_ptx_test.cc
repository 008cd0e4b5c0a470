// The instructions of the kernels for each architecture, as the compiler writes them: the ones that a check names must
// be there, and only there.
#include <gtest/gtest.h>
#include <stdio.h>

#include <array>
#include <ostream>
#include <string>

#include "kernels/image.h"
#include "validators/gemm_problem.h"

namespace cutopsy {
namespace {

using kernels::Format;

#ifdef CUTOPSY_NVCC

// What the image is built for: of 9.0 with the suffix that wgmma needs.
std::string target_of(int architecture) {
  return "compute_" + std::to_string(architecture) +
         (architecture == 90 && kernels::multiplies_by_warpgroup() ? "a" : "");
}

std::string ptx_for(int architecture) {
  const std::string command =
      "exec nice " CUTOPSY_NVCC " -std=c++17 -I" CUTOPSY_TEST_DATA "/.. -arch=" + target_of(architecture) +
      " -ptx -o - " CUTOPSY_TEST_DATA "/../kernels/image.cu";
  FILE* const output = popen(command.c_str(), "r");
  if (!output) return "";
  std::string text;
  std::array<char, 65536> buffer;
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), output)) > 0;)
    text.append(buffer.data(), got);
  return pclose(output) == 0 ? text : "";
}

std::string body_of(const std::string& ptx, const std::string& kernel) {
  const std::size_t entry = ptx.find(".entry " + kernel + "(");
  return entry == std::string::npos ? "" : ptx.substr(entry, ptx.find("\n}\n", entry) - entry);
}

struct Instruction {
  Format format;
  const char* name;
  const char* text;  ///< of the architectures from 8.0 on
};
constexpr Instruction kInstructions[] = {
    {Format::fp32, "fp32", "fma.rn.f32"},
    {Format::tf32, "tf32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"},
    {Format::fp16, "fp16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"},
    {Format::bf16, "bf16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"},
    {Format::fp8, "fp8", "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32"},
};

// As PTX ISA asks for it: stores made visible to the asynchronous proxy before the barrier, registers fenced before the
// first wgmma, and waited for after the last.
void expect_fences_around_wgmma(const std::string& body) {
  std::size_t at = 0;
  for (const char* next :
       {"fence.proxy.async.shared::cta", "bar.sync", "wgmma.fence.sync.aligned", "wgmma.mma_async.sync",
        "wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned 0", "st.global"}) {
    const std::size_t found = body.find(next, at);
    ASSERT_NE(found, std::string::npos) << next;
    at = found;
  }
  EXPECT_LT(body.rfind("st.shared"), body.find("fence.proxy.async.shared::cta"));
  EXPECT_LT(body.rfind("wgmma.mma_async"), body.rfind("wgmma.commit_group"));
}

class KernelPtx : public testing::TestWithParam<int> {};

TEST_P(KernelPtx, MultipliesByTheInstructionThatTheCheckNames) {
  const int architecture = GetParam();
  const std::string ptx = ptx_for(architecture);
  ASSERT_NE(ptx, "") << "nvcc failed";
  for (const Instruction& one : kInstructions) {
    const std::string body = body_of(ptx, "cutopsy_gemm_" + std::string(one.name));
    const GemmPath path = path_of(one.format, architecture, architecture);
    const bool compiled = !path.instruction.empty() || path.why_not.find("fp16 units") != std::string::npos;
    const bool halves = path.instruction == "two mma.sync m16n8k8";
    const bool warpgroup = path.instruction == "wgmma m64n32k32";
    const std::string text = halves      ? "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32"
                             : warpgroup ? "wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3"
                                         : one.text;
    EXPECT_EQ(body.find(text) != std::string::npos, compiled) << one.name;
    EXPECT_EQ(body.find("mma.sync") != std::string::npos, compiled && one.format != Format::fp32 && !warpgroup)
        << one.name;
    EXPECT_EQ(body.find("wgmma") != std::string::npos, warpgroup) << one.name;
    if (warpgroup) expect_fences_around_wgmma(body);
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, KernelPtx, testing::Values(75, 80, 89, 90),
                         [](const auto& one) { return "compute_" + std::to_string(one.param); });

#else

TEST(KernelPtx, MultipliesByTheInstructionThatTheCheckNames) {
  GTEST_SKIP() << "built without a CUDA compiler";
}

#endif

}  // namespace
}  // namespace cutopsy
