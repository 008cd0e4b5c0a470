// The embedded device kernels, in both forms: what a driver will find in them. A build without a CUDA compiler has
// none, which must be visible as that.
#include "kernels/image.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/host_machine.h"

namespace cutopsy::kernels {
namespace {

// Entry points of PTX text with the size of each parameter. A parameter is
// ".param .u64 name", or ".param .align 8 .b8 name[48]" for a structure.
std::map<std::string, std::vector<std::size_t>> entries_of(std::string_view ptx) {
  std::map<std::string, std::vector<std::size_t>> entries;
  static constexpr std::string_view kEntry = ".visible .entry ";
  for (std::size_t at = ptx.find(kEntry); at != std::string_view::npos; at = ptx.find(kEntry, at + 1)) {
    const std::size_t name = at + kEntry.size();
    const std::size_t open = ptx.find('(', name);
    std::string_view list = ptx.substr(open, ptx.find(')', open) - open);
    auto& sizes = entries[std::string(ptx.substr(name, open - name))];
    static constexpr std::string_view kParameter = ".param ";
    for (std::size_t p = list.find(kParameter); p != std::string_view::npos; p = list.find(kParameter, p + 1)) {
      const std::string parameter(list.substr(p, list.find_first_of(",\n", p) - p));
      const std::size_t bracket = parameter.find('[');
      const std::size_t width = parameter.find(" .u") + 3;
      sizes.push_back(bracket != std::string::npos ? std::stoul(parameter.substr(bracket + 1))
                                                   : std::stoul(parameter.substr(width)) / 8);
    }
  }
  return entries;
}

TEST(KernelImage, IsAFatBinaryOnA64ByteBoundaryOrAbsent) {
  const auto image = kernel_image();
  EXPECT_EQ(image.empty(), lowered_ptx().empty());
  if (image.empty()) GTEST_SKIP() << "built without a CUDA compiler";
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(image.data()) % 64, 0u);
  // Magic, version, header bytes; then the bytes of everything that follows.
  std::uint32_t magic = 0;
  std::uint16_t header = 0;
  std::uint64_t rest = 0;
  std::memcpy(&magic, image.data(), 4);
  std::memcpy(&header, image.data() + 6, 2);
  std::memcpy(&rest, image.data() + 8, 8);
  EXPECT_EQ(magic, 0xBA55ED50u);
  EXPECT_EQ(header + rest, image.size());
}

// "sm_90" for machine code and "compute_90" for PTX; the fields of an image's header as validators/fatbin.h lists them.
std::set<std::string> targets_of(std::span<const std::byte> fatbin) {
  std::set<std::string> targets;
  for (std::size_t at = 16; at + 64 <= fatbin.size();) {
    std::uint16_t kind = 0;
    std::uint32_t header = 0;
    std::uint64_t bytes = 0;
    std::uint32_t architecture = 0;
    std::memcpy(&kind, fatbin.data() + at, 2);
    std::memcpy(&header, fatbin.data() + at + 4, 4);
    std::memcpy(&bytes, fatbin.data() + at + 8, 8);
    std::memcpy(&architecture, fatbin.data() + at + 28, 4);
    targets.insert((kind == 1 ? "compute_" : "sm_") + std::to_string(architecture));
    at += header + bytes;
  }
  return targets;
}

TEST(KernelImage, HasMachineCodeFromTuringOnAndPtxForTheRest) {
  if (kernel_image().empty()) GTEST_SKIP() << "built without a CUDA compiler";
  const auto targets = targets_of(kernel_image());
  // What every toolkit from 11.8 on knows; later ones add to it.
  for (const char* target : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "compute_75"}) {
    EXPECT_TRUE(targets.contains(target)) << target;
  }
  EXPECT_EQ(std::count_if(targets.begin(), targets.end(), [](const auto& one) { return one.starts_with("compute_"); }),
            2);
}

TEST(KernelImage, HasLoweredTextForOldDriversThatEndsWithNul) {
  const auto ptx = lowered_ptx();
  if (ptx.empty()) GTEST_SKIP() << "built without a CUDA compiler";
  EXPECT_NE(ptx.find("\n.version 6.0\n"), std::string_view::npos);
  EXPECT_NE(ptx.find("\n.target sm_50\n"), std::string_view::npos);
  EXPECT_EQ(ptx.find('\0'), std::string_view::npos);
  EXPECT_EQ(ptx.data()[ptx.size()], '\0');
}

TEST(KernelImage, HasTheKernelsThatRunOnTheHostWithTheSameArguments) {
  if (lowered_ptx().empty()) GTEST_SKIP() << "built without a CUDA compiler";
  std::map<std::string, std::vector<std::size_t>> on_host;
  for (const HostKernel& kernel : host_kernels()) {
    on_host[std::string(kernel.name)].assign(kernel.argument_bytes.begin(), kernel.argument_bytes.end());
  }
  EXPECT_EQ(entries_of(lowered_ptx()), on_host);
}

TEST(KernelImage, BoundsTheThreadsOfEachKernelAsTheHostTableSays) {
  const auto ptx = lowered_ptx();
  if (ptx.empty()) GTEST_SKIP() << "built without a CUDA compiler";
  for (const HostKernel& kernel : host_kernels()) {
    const std::size_t entry = ptx.find(".entry " + std::string(kernel.name) + "(");
    ASSERT_NE(entry, std::string_view::npos) << kernel.name;
    const std::string_view head = ptx.substr(entry, ptx.find('{', entry) - entry);
    EXPECT_NE(head.find(".maxntid " + std::to_string(kernel.max_threads)), std::string_view::npos) << head;
  }
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::string_view lowered_body(const std::string& kernel) {
  const auto ptx = lowered_ptx();
  const std::size_t entry = ptx.find(".entry " + kernel + "(");
  return entry == std::string_view::npos ? "" : ptx.substr(entry, ptx.find("\n}\n", entry) - entry);
}

// Of each pattern: so many loads and stores, four in flight and one for what is left over.
TEST(KernelImage, MovesEachPatternBy16BytesPastTheCache) {
  if (lowered_ptx().empty()) GTEST_SKIP() << "built without a CUDA compiler";
  struct Row {
    const char* kernel;
    std::size_t loads, stores;
  };
  for (const Row& row :
       {Row{"cutopsy_pattern_fill", 0, 1}, {"cutopsy_pattern_verify", 5, 0}, {"cutopsy_pattern_invert", 5, 5}}) {
    const std::string_view body = lowered_body(row.kernel);
    EXPECT_GE(count_of(body, "ld.global.cs.v2.u64"), 4 * row.loads) << row.kernel;
    EXPECT_GE(count_of(body, "st.global.cs.v2.u64"), 4 * row.stores) << row.kernel;
    EXPECT_EQ(count_of(body, "ld.global."), count_of(body, "ld.global.cs.v2.u64")) << row.kernel;
  }
}

TEST(KernelImage, ReadsAWordAnewAndWalksThroughTheCache) {
  if (lowered_ptx().empty()) GTEST_SKIP() << "built without a CUDA compiler";
  EXPECT_EQ(count_of(lowered_body("cutopsy_read_words"), "ld.global.cv.u64"), 1u);
  EXPECT_GE(count_of(lowered_body("cutopsy_walk"), "ld.global.v2.u64"), 1u);
  EXPECT_GE(count_of(lowered_body("cutopsy_walk"), "st.global.v2.u64"), 1u);
}

TEST(KernelImage, KeepsNothingInLocalMemory) {
  if (lowered_ptx().empty()) GTEST_SKIP() << "built without a CUDA compiler";
  EXPECT_EQ(count_of(lowered_ptx(), ".local"), 0u);
}

// On the CPU the threads of a block run one after the other, so that no test there misses a barrier.
TEST(KernelImage, WaitsForTheBlockBeforeSharedMemoryIsReadByOthers) {
  const auto ptx = lowered_ptx();
  if (ptx.empty()) GTEST_SKIP() << "built without a CUDA compiler";
  const std::size_t entry = ptx.find(".entry cutopsy_exchange(");
  const std::string_view body = ptx.substr(entry, ptx.find(".entry ", entry + 1) - entry);
  const std::size_t barrier = body.find("bar.sync");
  ASSERT_NE(barrier, std::string_view::npos);
  EXPECT_LT(body.rfind("st.shared"), barrier);
  EXPECT_GT(body.find("ld.shared"), barrier);
}

}  // namespace
}  // namespace cutopsy::kernels
