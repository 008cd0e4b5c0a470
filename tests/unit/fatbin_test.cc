#include "validators/fatbin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <random>

#include "fatbin_bytes.h"
#include "temporary_folder.h"

namespace cutopsy {
namespace {

using Kind = DeviceImage::Kind;
using Scope = DeviceImage::Scope;

constexpr std::uint64_t kA = 0x100011;
constexpr std::uint64_t kF = 0x200011;

DeviceCode read_bytes(const std::string& bytes) {
  const TemporaryFolder folder;
  std::string why_not;
  auto code = read_device_code(folder.write("library.so", bytes), &why_not);
  EXPECT_TRUE(code) << why_not;
  return code.value_or(DeviceCode{});
}

TEST(Fatbin, NamesTheImagesOfALibrary) {
  const DeviceCode code = read_bytes(library_bytes(
      {{".text", "nothing"},
       {".nv_fatbin", container_bytes({{2, 80}, {2, 90, kA}, {2, 100, kF, 112}, {1, 120, 0x8011, 80}, {8, 75}})}}));
  EXPECT_EQ(list_images(code.images()), "compute_120, sm_80, sm_90a, sm_100f, other_75");
  EXPECT_EQ(code.containers(), 1U);
  EXPECT_TRUE(code.complete);
}

TEST(Fatbin, CountsContainersOfTheSameImagesTogether) {
  const std::string one = container_bytes({{2, 80}, {2, 90}});
  const DeviceCode code = read_bytes(library_bytes({{".nv_fatbin", one + one + container_bytes({{2, 90}})}}));
  ASSERT_EQ(code.groups.size(), 2U);
  EXPECT_EQ(code.groups[0].containers, 2U);
  EXPECT_EQ(list_images(code.groups[1].images), "sm_90");
}

TEST(Fatbin, FindsContainersBehindPadding) {
  const std::string padding(9'000, '\0');
  const DeviceCode code = read_bytes(
      library_bytes({{".nv_fatbin", padding + container_bytes({{2, 80}}) + padding + container_bytes({{2, 90}})}}));
  EXPECT_EQ(list_images(code.images()), "sm_80, sm_90");
  EXPECT_TRUE(code.complete);
}

TEST(Fatbin, TellsRelocatableCodeApart) {
  const DeviceCode code = read_bytes(
      library_bytes({{".nv_fatbin", container_bytes({{2, 80}})}, {"__nv_relfatbin", container_bytes({{1, 80}})}}));
  ASSERT_EQ(code.groups.size(), 2U);
  EXPECT_FALSE(code.groups[0].relocatable);
  EXPECT_TRUE(code.groups[1].relocatable);
}

TEST(Fatbin, ReadsAContainerThatIsAFileOfItsOwn) {
  EXPECT_EQ(list_images(read_bytes(container_bytes({{1, 75}})).images()), "compute_75");
}

TEST(Fatbin, FindsNoneInOtherFiles) {
  for (const std::string& bytes : {std::string(), std::string("text"), library_bytes({{".text", "code"}})}) {
    const DeviceCode code = read_bytes(bytes);
    EXPECT_TRUE(code.groups.empty());
    EXPECT_TRUE(code.complete);
  }
}

TEST(Fatbin, SaysWhyAFileCannotBeRead) {
  const TemporaryFolder folder;
  std::string why_not;
  EXPECT_FALSE(read_device_code(folder.path("absent"), &why_not));
  EXPECT_THAT(why_not, testing::HasSubstr("cannot be opened"));
  mkfifo(folder.path("fifo").c_str(), 0600);
  EXPECT_FALSE(read_device_code(folder.path("fifo"), &why_not));
  EXPECT_THAT(why_not, testing::HasSubstr("no regular file"));
}

TEST(Fatbin, ReportsSizesThatLeadOutsideAsIncomplete) {
  std::string container = container_bytes({{2, 80}, {2, 90}});
  std::string too_long = container;
  put(too_long, 8, std::uint64_t{1} << 62);
  std::string image_too_long = container;
  put(image_too_long, 16 + 8, ~std::uint64_t{0});
  std::string header_too_long = container;
  put(header_too_long, 16 + 4, ~std::uint32_t{0});
  std::string no_header = container;
  put(no_header, 16 + 4, std::uint32_t{0});
  for (const std::string& bytes : {too_long, image_too_long, header_too_long, no_header}) {
    EXPECT_FALSE(read_bytes(library_bytes({{".nv_fatbin", bytes}})).complete);
  }
}

TEST(Fatbin, EndsOnAFileOfEmptyContainers) {
  std::string many;
  const std::string empty = container_bytes({});
  for (int i = 0; i < 300'000; ++i) many += empty;
  const DeviceCode code = read_bytes(many);
  EXPECT_TRUE(code.groups.empty());
}

// Each byte of a small library changed in turn: nothing is believed that leads outside of it.
TEST(Fatbin, SurvivesEveryChangedByte) {
  const std::string library =
      library_bytes({{".nv_fatbin", container_bytes({{2, 80}, {1, 90}})}, {".bss", std::string(8, '\0')}});
  const TemporaryFolder folder;
  std::mt19937 random(20'240'601);
  for (std::size_t i = 0; i < library.size(); ++i) {
    std::string changed = library;
    changed[i] = static_cast<char>(random());
    std::string why_not;
    EXPECT_TRUE(read_device_code(folder.write("library.so", changed), &why_not));
  }
  for (std::size_t size = 0; size < library.size(); size += 3) {
    std::string why_not;
    EXPECT_TRUE(read_device_code(folder.write("library.so", library.substr(0, size)), &why_not));
  }
}

TEST(ComputeCapability, IsReadInTheFormsOfLogsAndLibraries) {
  for (const char* const text : {"9.0", "sm_90", "90", "compute_90", "sm_90a"}) {
    EXPECT_EQ(ComputeCapability::parse(text), (ComputeCapability{9, 0})) << text;
  }
  EXPECT_EQ(ComputeCapability::parse("sm_120"), (ComputeCapability{12, 0}));
  EXPECT_EQ(ComputeCapability::parse("520"), (ComputeCapability{5, 2})) << "as __CUDA_ARCH__ counts";
  EXPECT_EQ(ComputeCapability::parse("1200"), (ComputeCapability{12, 0}));
  EXPECT_EQ(ComputeCapability::parse("12.1"), (ComputeCapability{12, 1}));
  for (const char* const text : {"", "9", "nine", "9.", ".9", "9.0.1", "-9.0", "99999", "9.00"}) {
    EXPECT_FALSE(ComputeCapability::parse(text)) << text;
  }
}

struct FitCase {
  DeviceImage image;
  ComputeCapability gpu;
  Fit fit;
};

// https://docs.nvidia.com/cuda/cuda-compiler-driver-nvcc/ on GPU compilation, and on the suffixes
TEST(Fit, FollowsTheRulesOfBinaryCompatibility) {
  const std::vector<FitCase> cases = {
      {{Kind::cubin, 80, Scope::general}, {8, 0}, Fit::yes},    {{Kind::cubin, 80, Scope::general}, {8, 6}, Fit::yes},
      {{Kind::cubin, 86, Scope::general}, {8, 0}, Fit::no},     {{Kind::cubin, 80, Scope::general}, {9, 0}, Fit::no},
      {{Kind::cubin, 90, Scope::specific}, {9, 0}, Fit::yes},   {{Kind::cubin, 100, Scope::specific}, {10, 3}, Fit::no},
      {{Kind::cubin, 100, Scope::family}, {10, 3}, Fit::yes},   {{Kind::cubin, 100, Scope::family}, {12, 0}, Fit::no},
      {{Kind::cubin, 120, Scope::family}, {12, 1}, Fit::yes},   {{Kind::cubin, 121, Scope::family}, {12, 0}, Fit::no},
      {{Kind::cubin, 86, Scope::general}, {8, 7}, Fit::unsure}, {{Kind::cubin, 87, Scope::general}, {8, 7}, Fit::yes},
      {{Kind::cubin, 87, Scope::general}, {8, 9}, Fit::unsure}, {{Kind::ptx, 75, Scope::general}, {12, 0}, Fit::yes},
      {{Kind::ptx, 120, Scope::general}, {9, 0}, Fit::no},      {{Kind::ptx, 90, Scope::specific}, {10, 0}, Fit::no},
      {{Kind::ptx, 90, Scope::specific}, {9, 0}, Fit::yes},     {{Kind::ptx, 100, Scope::family}, {10, 3}, Fit::yes},
      {{Kind::ptx, 100, Scope::family}, {12, 0}, Fit::no},      {{Kind::other, 90, Scope::general}, {9, 0}, Fit::no},
  };
  for (const FitCase& each : cases) {
    EXPECT_EQ(fit(each.image, each.gpu), each.fit) << each.image.name() << " on " << each.gpu.text();
  }
}

// What the reader finds is what the compiler was asked for.
TEST(Fatbin, AgreesWithTheCompilerWhereThereIsOne) {
  if (std::system("nvcc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no nvcc here";
  const TemporaryFolder folder;
  const std::string source = folder.write("kernel.cu", "extern \"C\" __global__ void f(int* a) { *a = 1; }\n");
  const std::string command =
      "nvcc -shared -Xcompiler -fPIC -gencode arch=compute_80,code=sm_80 "
      "-gencode arch=compute_90a,code=sm_90a -gencode arch=compute_75,code=compute_75 " +
      source + " -o " + folder.path("kernel.so") + " > /dev/null 2>&1";
  if (std::system(command.c_str()) != 0) GTEST_SKIP() << "this nvcc does not know these architectures";
  std::string why_not;
  const auto code = read_device_code(folder.path("kernel.so"), &why_not);
  ASSERT_TRUE(code) << why_not;
  EXPECT_THAT(list_images(code->groups.back().images), "compute_75, sm_80, sm_90a");
  EXPECT_TRUE(code->complete);
}

}  // namespace
}  // namespace cutopsy
