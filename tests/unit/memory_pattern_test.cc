// The memory pattern's bodies on the CPU: what they write, what they notice, what they count.
#include "kernels/memory_pattern.h"

#include <sys/mman.h>

#include <cstring>
#include <memory>
#include <set>
#include <vector>

#include "tests/unit/host_launch.h"

namespace cutopsy::kernels {
namespace {

constexpr LaunchShape kShape{.grid = 3, .block = 32};
// More than four rounds of the grid, and divisible by no part of it: a dropped tail shows.
constexpr std::uint64_t kQuads = 10007;
constexpr std::uint64_t kSeed = 7;

// Memory as the kernels see it.
class Pattern {
 public:
  explicit Pattern(std::uint64_t quads = kQuads) : memory_(quads) { area_ = {memory_.data(), 0, quads, 0, kSeed, 0}; }

  std::uint64_t* words() { return &memory_[0].low; }
  PatternArea& area() { return area_; }
  HostFaults& faults() { return *faults_; }
  void break_with(std::unique_ptr<HostFaults> faults) { faults_ = std::move(faults); }

  void fill() { launch_on_host("cutopsy_pattern_fill", kShape, *faults_, area_); }
  PatternReport verify() {
    PatternReport report{};
    launch_on_host("cutopsy_pattern_verify", kShape, *faults_, area_, &report);
    return report;
  }

 private:
  std::vector<Quad> memory_;
  PatternArea area_;
  std::unique_ptr<HostFaults> faults_ = std::make_unique<HostFaults>();
};

TEST(MemoryPattern, ComparesEveryWordOnceAndFindsNothingInGoodMemory) {
  Pattern pattern;
  pattern.fill();
  const PatternReport report = pattern.verify();
  EXPECT_EQ(report.compared, 2 * kQuads);
  EXPECT_EQ(report.wrong, 0u);
  EXPECT_EQ(report.wrong_bits, 0u);
}

TEST(MemoryPattern, WritesOnlyItsArea) {
  Pattern pattern;
  pattern.area().begin = 5;
  pattern.area().end = kQuads - 3;
  pattern.fill();
  EXPECT_EQ(pattern.words()[9], 0u);
  EXPECT_NE(pattern.words()[10], 0u);
  EXPECT_NE(pattern.words()[2 * (kQuads - 3) - 1], 0u);
  EXPECT_EQ(pattern.words()[2 * (kQuads - 3)], 0u);
}

TEST(MemoryPattern, NamesEachOfThe128BitsOfAQuadThatFlipped) {
  Pattern pattern(5);
  pattern.fill();
  for (unsigned bit = 0; bit < 128; ++bit) {
    const std::uint64_t word = 6 + bit / 64;
    const std::uint64_t mask = 1ULL << bit % 64;
    pattern.words()[word] ^= mask;
    const PatternReport report = pattern.verify();
    pattern.words()[word] ^= mask;
    EXPECT_EQ(report.wrong, 1u);
    EXPECT_EQ(report.words[0].number, word);
    EXPECT_EQ(report.words[0].difference, mask);
    EXPECT_EQ(report.wrong_bits, mask);
  }
}

TEST(MemoryPattern, SeesAFlippedBitInTheFirstWordTheLastWordAndAtEveryPlaceOfARound) {
  Pattern pattern;
  pattern.fill();
  std::set<std::uint64_t> planted;
  for (std::uint64_t word = 0; word < 2 * kQuads; word += 2 * kShape.grid * kShape.block) planted.insert(word);
  planted.insert(2 * kQuads - 1);
  for (const std::uint64_t word : planted) pattern.words()[word] ^= 1;
  const PatternReport report = pattern.verify();
  ASSERT_LE(report.wrong, PatternReport::kMostListed);
  std::set<std::uint64_t> found;
  for (std::uint64_t i = 0; i < report.wrong; ++i) found.insert(report.words[i].number);
  EXPECT_EQ(found, planted);
}

TEST(MemoryPattern, CountsWhatTheListHasNoRoomFor) {
  Pattern pattern;
  pattern.fill();
  pattern.area().seed = kSeed + 1;
  const PatternReport report = pattern.verify();
  EXPECT_EQ(report.wrong, 2 * kQuads);
  EXPECT_EQ(report.wrong_bits, ~0ULL);
}

TEST(MemoryPattern, HoldsBothValuesOfEveryBitBetweenHashAndComplement) {
  Pattern pattern;
  pattern.fill();
  const std::vector<std::uint64_t> hash(pattern.words(), pattern.words() + 2 * kQuads);
  pattern.area().flip = ~0ULL;
  pattern.fill();
  for (std::uint64_t i = 0; i < 2 * kQuads; ++i) ASSERT_EQ(pattern.words()[i], ~hash[i]);
  EXPECT_EQ(pattern.verify().wrong, 0u);
}

TEST(MemoryPattern, PlantsExactlyTheBitsAskedFor) {
  Pattern pattern;
  pattern.fill();
  launch_on_host("cutopsy_plant_error", {.grid = 1, .block = 1}, pattern.faults(), pattern.words() + 123, 1ULL << 33);
  const PatternReport report = pattern.verify();
  EXPECT_EQ(report.wrong, 1u);
  EXPECT_EQ(report.words[0].number, 123u);
  EXPECT_EQ(report.words[0].difference, 1ULL << 33);
}

TEST(MemoryPattern, GivesEveryAllocationNumbersOfItsOwn) {
  EXPECT_NE(address_hash(1, kSeed), address_hash(1 + (1ULL << 32), kSeed));
  Pattern first;
  Pattern second;
  second.area().base = 2 * kQuads;
  first.fill();
  second.fill();
  EXPECT_NE(std::memcmp(first.words(), second.words(), 16), 0);
}

// A cell that always reads one value in one bit.
class StuckBit : public HostFaults {
 public:
  StuckBit(const void* quad, std::uint64_t mask) : quad_(quad), mask_(mask) {}
  void load(const void* address, void* value, std::size_t bytes) override {
    HostFaults::load(address, value, bytes);
    if (address == quad_) *static_cast<std::uint64_t*>(value) |= mask_;
  }

 private:
  const void* quad_;
  std::uint64_t mask_;
};

TEST(MemoryPattern, ShowsAStuckBitInExactlyOneOfHashAndComplement) {
  Pattern pattern;
  pattern.break_with(std::make_unique<StuckBit>(pattern.words() + 4000, 1ULL << 63));
  std::uint64_t wrong = 0;
  for (const std::uint64_t flip : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    pattern.area().flip = flip;
    pattern.fill();
    const PatternReport report = pattern.verify();
    wrong += report.wrong;
    if (report.wrong != 0) {
      EXPECT_EQ(report.words[0].number, 4000u);
      EXPECT_EQ(report.words[0].difference, 1ULL << 63);
    }
  }
  EXPECT_EQ(wrong, 1u);
}

// 64 GiB and a little of address space; only the pages that are touched take memory.
class SparseMemory {
 public:
  static constexpr std::uint64_t kBytes = (64ULL << 30) + (1 << 20);

  SparseMemory()
      : memory_(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~SparseMemory() {
    if (usable()) munmap(memory_, kBytes);
  }
  bool usable() const { return memory_ != MAP_FAILED; }
  Quad* quads() const { return static_cast<Quad*>(memory_); }

 private:
  void* memory_;
};

// Windows of 8 KiB around the places where a 32-bit index of words, quads or bytes wraps.
std::vector<PatternArea> windows(Quad* memory) {
  constexpr std::uint64_t kHalf = 256;  // quads
  std::vector<PatternArea> areas;
  for (const std::uint64_t gigabytes : {0, 4, 8, 32, 64}) {
    const std::uint64_t middle = (gigabytes << 30) / sizeof(Quad);
    areas.push_back({memory, middle < kHalf ? 0 : middle - kHalf, middle + kHalf + 1, 0, kSeed, 0});
  }
  return areas;
}

TEST(MemoryPattern, ReachesEveryAddressBeyond4GiB) {
  const SparseMemory memory;
  if (!memory.usable()) GTEST_SKIP() << "this machine grants no 64 GiB of address space";
  HostFaults healthy;
  for (const PatternArea& area : windows(memory.quads())) {
    launch_on_host("cutopsy_pattern_fill", kShape, healthy, area);
  }
  for (const PatternArea& area : windows(memory.quads())) {
    for (std::uint64_t i = area.begin; i < area.end; ++i) {
      ASSERT_EQ(memory.quads()[i].low, address_hash(2 * i, kSeed));
      ASSERT_EQ(memory.quads()[i].high, address_hash(2 * i + 1, kSeed));
    }
    memory.quads()[area.end - 1].high ^= 2;
    PatternReport report{};
    launch_on_host("cutopsy_pattern_verify", kShape, healthy, area, &report);
    EXPECT_EQ(report.compared, 2 * (area.end - area.begin));
    EXPECT_EQ(report.wrong, 1u);
    EXPECT_EQ(report.words[0].number, 2 * area.end - 1);
  }
}

// An address line that is not connected: two addresses, 2^32 bytes apart, reach one cell.
class Alias : public HostFaults {
 public:
  explicit Alias(const SparseMemory& memory) : base_(reinterpret_cast<char*>(memory.quads())) {}
  void store(void* address, const void* value, std::size_t bytes) override {
    HostFaults::store(reached(address), value, bytes);
  }
  void load(const void* address, void* value, std::size_t bytes) override {
    HostFaults::load(reached(const_cast<void*>(address)), value, bytes);
  }

 private:
  void* reached(void* address) const {
    const auto offset = static_cast<std::uint64_t>(static_cast<char*>(address) - base_);
    return offset < SparseMemory::kBytes ? base_ + (offset & ~(1ULL << 32)) : address;
  }
  char* base_;
};

TEST(MemoryPattern, SeesTwoAddressesThatReachOneCell) {
  const SparseMemory memory;
  if (!memory.usable()) GTEST_SKIP() << "this machine grants no 64 GiB of address space";
  Alias alias(memory);
  const PatternArea low{memory.quads(), 0, 1000, 0, kSeed, 0};
  const std::uint64_t apart = (4ULL << 30) / sizeof(Quad);
  const PatternArea high{memory.quads(), apart, apart + 1000, 0, kSeed, 0};
  launch_on_host("cutopsy_pattern_fill", kShape, alias, low);
  launch_on_host("cutopsy_pattern_fill", kShape, alias, high);
  PatternReport report{};
  launch_on_host("cutopsy_pattern_verify", kShape, alias, low, &report);
  EXPECT_EQ(report.wrong, 2000u);
}

}  // namespace
}  // namespace cutopsy::kernels
