// Single words read and written on the CPU, and the traffic between both.
#include "kernels/word_probe.h"

#include <vector>

#include "tests/unit/host_launch.h"

namespace cutopsy::kernels {
namespace {

constexpr LaunchShape kShape{.grid = 2, .block = 32};
constexpr std::uint32_t kCount = 131;  // more than the grid has threads

TEST(WordProbe, ReadsAndWritesExactlyTheWordsItNames) {
  HostFaults healthy;
  std::vector<std::uint64_t> memory(4 * kCount);
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = 1000 + i;
  std::vector<WordProbe> probes;
  for (std::uint32_t i = 0; i < kCount; ++i) probes.push_back({&memory[4 * i + 1], 0});
  launch_on_host("cutopsy_read_words", kShape, healthy, probes.data(), std::uint32_t{kCount});
  for (std::uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(probes[i].value, 1001 + 4 * i);
    probes[i].value = i;
  }
  launch_on_host("cutopsy_write_words", kShape, healthy, probes.data(), std::uint32_t{kCount});
  for (std::uint32_t i = 0; i < 4 * kCount; ++i) EXPECT_EQ(memory[i], i % 4 == 1 ? i / 4 : 1000 + i);
}

TEST(WordProbe, LeavesWhatIsBeyondItsCount) {
  HostFaults healthy;
  std::uint64_t memory = 7;
  std::vector<WordProbe> probes(2, WordProbe{&memory, 1});
  launch_on_host("cutopsy_write_words", kShape, healthy, probes.data(), std::uint32_t{0});
  EXPECT_EQ(memory, 7u);
}

// What a walk loads and stores.
class Traffic : public HostFaults {
 public:
  void store(void* address, const void* value, std::size_t bytes) override {
    stored += bytes;
    HostFaults::store(address, value, bytes);
  }
  void load(const void* address, void* value, std::size_t bytes) override {
    loaded += bytes;
    HostFaults::load(address, value, bytes);
  }
  std::size_t loaded = 0;
  std::size_t stored = 0;
};

TEST(WordProbe, WalksOverEachQuadOnce) {
  Traffic traffic;
  std::vector<Quad> memory(1009);
  launch_on_host("cutopsy_walk", kShape, traffic, memory.data(), std::uint64_t{memory.size()});
  EXPECT_EQ(traffic.loaded, memory.size() * sizeof(Quad));
  EXPECT_EQ(traffic.stored, memory.size() * sizeof(Quad));
  for (const Quad& quad : memory) EXPECT_EQ(quad.low, 1u);
}

}  // namespace
}  // namespace cutopsy::kernels
