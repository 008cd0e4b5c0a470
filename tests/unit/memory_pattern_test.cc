// The memory pattern's bodies on the CPU: what they write, what they notice, what they count.
#include "kernels/memory_pattern.h"

#include <sys/mman.h>

#include <algorithm>
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
class Content {
 public:
  explicit Content(std::uint64_t quads = kQuads) : memory_(quads) { area_ = {memory_.data(), 0, quads, 0, kSeed, 0}; }

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
  PatternReport invert() {
    PatternReport report{};
    launch_on_host("cutopsy_pattern_invert", kShape, *faults_, area_, &report);
    return report;
  }

 private:
  std::vector<Quad> memory_;
  PatternArea area_;
  std::unique_ptr<HostFaults> faults_ = std::make_unique<HostFaults>();
};

constexpr Pattern kPatterns[] = {Pattern::address_hash, Pattern::own_address, Pattern::walking_bit, Pattern::constant};

class EachPattern : public testing::TestWithParam<Pattern> {};
INSTANTIATE_TEST_SUITE_P(MemoryPattern, EachPattern, testing::ValuesIn(kPatterns));

TEST_P(EachPattern, IsWrittenAsDefinedInBothFormsAndEveryWordComparedOnce) {
  Content pattern;
  pattern.area().pattern = GetParam();
  pattern.area().base = 1ULL << 33;
  for (const std::uint64_t flip : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    pattern.area().flip = flip;
    pattern.fill();
    for (std::uint64_t i = 0; i < 2 * kQuads; ++i) {
      ASSERT_EQ(pattern.words()[i], expected_word(GetParam(), (1ULL << 33) + i, kSeed) ^ flip);
    }
    const PatternReport report = pattern.verify();
    EXPECT_EQ(report.compared, 2 * kQuads);
    EXPECT_EQ(report.wrong, 0u);
    EXPECT_EQ(report.wrong_bits, 0u);
  }
}

TEST_P(EachPattern, NamesEachOfThe128BitsOfAQuadThatFlipped) {
  Content pattern(5);
  pattern.area().pattern = GetParam();
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

TEST_P(EachPattern, IsTurnedIntoItsComplementAndBackByInversions) {
  Content pattern;
  pattern.area().pattern = GetParam();
  pattern.fill();
  const std::vector<std::uint64_t> before(pattern.words(), pattern.words() + 2 * kQuads);
  for (const std::uint64_t turn : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    pattern.area().turn = turn;
    pattern.area().flip = turn;  // the falling pass meets the complement
    const PatternReport report = pattern.invert();
    EXPECT_EQ(report.compared, 2 * kQuads);
    EXPECT_EQ(report.wrong, 0u);
    for (std::uint64_t i = 0; i < 2 * kQuads; ++i) ASSERT_EQ(pattern.words()[i], before[i] ^ ~turn);
  }
}

TEST(MemoryPattern, DefinesWhatAWordHolds) {
  EXPECT_EQ(expected_word(Pattern::own_address, 0x123456789ABULL, 99), 0x123456789ABULL);
  EXPECT_EQ(expected_word(Pattern::constant, 5, 0x5555ULL), 0x5555u);
  EXPECT_EQ(expected_word(Pattern::walking_bit, 0, 0), 1u);
  EXPECT_EQ(expected_word(Pattern::walking_bit, 66, 1), 8u);
  EXPECT_EQ(expected_word(Pattern::walking_bit, 63, 0), 1ULL << 63);
  EXPECT_EQ(expected_word(Pattern::address_hash, 7, 9), address_hash(7, 9));
}

TEST(MemoryPattern, WalksEachBitThroughEachWordIn64Seeds) {
  for (std::uint64_t word = 0; word < 64; ++word) {
    std::uint64_t seen = 0;
    for (std::uint64_t seed = 0; seed < 64; ++seed) seen |= expected_word(Pattern::walking_bit, word, seed);
    EXPECT_EQ(seen, ~0ULL);
  }
}

// The places that are stored to, in order.
class Recorder : public HostFaults {
 public:
  explicit Recorder(const std::uint64_t* words) : words_(words) {}
  void store(void* address, const void* value, std::size_t bytes) override {
    HostFaults::store(address, value, bytes);
    if (bytes == sizeof(Quad)) quads.push_back((static_cast<const std::uint64_t*>(address) - words_) / 2);
  }
  std::vector<std::ptrdiff_t> quads;

 private:
  const std::uint64_t* words_;
};

TEST(MemoryPattern, InvertsInFallingOrderWhenTurned) {
  Content pattern;
  pattern.area().begin = 100;
  pattern.area().end = 612;
  pattern.fill();
  auto recorder = std::make_unique<Recorder>(pattern.words());
  const Recorder& seen = *recorder;
  pattern.break_with(std::move(recorder));
  pattern.area().turn = ~0ULL;
  EXPECT_EQ(pattern.invert().compared, 1024u);
  ASSERT_EQ(seen.quads.size(), 512u);
  EXPECT_EQ(seen.quads[0], 611);
  EXPECT_EQ(seen.quads[1], 611 - 96);  // of the same thread
  EXPECT_EQ(std::set<std::ptrdiff_t>(seen.quads.begin(), seen.quads.end()).size(), 512u);
  EXPECT_EQ(*std::min_element(seen.quads.begin(), seen.quads.end()), 100);
}

TEST(MemoryPattern, LeavesAQuadThatDiffersAsItIsInAnInversion) {
  Content pattern;
  pattern.fill();
  pattern.words()[4001] ^= 4;
  const std::vector<std::uint64_t> before(pattern.words(), pattern.words() + 2 * kQuads);
  const PatternReport report = pattern.invert();
  EXPECT_EQ(report.wrong, 1u);
  EXPECT_EQ(report.words[0].number, 4001u);
  EXPECT_EQ(report.words[0].difference, 4u);
  for (std::uint64_t i = 0; i < 2 * kQuads; ++i) {
    ASSERT_EQ(pattern.words()[i], i / 2 == 2000 ? before[i] : ~before[i]) << i;
  }
}

TEST(MemoryPattern, WritesOnlyItsArea) {
  Content pattern;
  pattern.area().begin = 5;
  pattern.area().end = kQuads - 3;
  pattern.fill();
  EXPECT_EQ(pattern.words()[9], 0u);
  EXPECT_NE(pattern.words()[10], 0u);
  EXPECT_NE(pattern.words()[2 * (kQuads - 3) - 1], 0u);
  EXPECT_EQ(pattern.words()[2 * (kQuads - 3)], 0u);
}

TEST(MemoryPattern, SeesAFlippedBitInTheFirstWordTheLastWordAndAtEveryPlaceOfARound) {
  Content pattern;
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
  Content pattern;
  pattern.fill();
  pattern.area().seed = kSeed + 1;
  const PatternReport report = pattern.verify();
  EXPECT_EQ(report.wrong, 2 * kQuads);
  EXPECT_EQ(report.wrong_bits, ~0ULL);
}

TEST(MemoryPattern, PlantsExactlyTheBitsAskedFor) {
  Content pattern;
  pattern.fill();
  launch_on_host("cutopsy_plant_error", {.grid = 1, .block = 1}, pattern.faults(), pattern.words() + 123, 1ULL << 33);
  const PatternReport report = pattern.verify();
  EXPECT_EQ(report.wrong, 1u);
  EXPECT_EQ(report.words[0].number, 123u);
  EXPECT_EQ(report.words[0].difference, 1ULL << 33);
}

TEST(MemoryPattern, GivesEveryAllocationNumbersOfItsOwn) {
  EXPECT_NE(address_hash(1, kSeed), address_hash(1 + (1ULL << 32), kSeed));
  Content first;
  Content second;
  second.area().base = 2 * kQuads;
  first.fill();
  second.fill();
  EXPECT_NE(std::memcmp(first.words(), second.words(), 16), 0);
}

TEST(MemoryPattern, NamesAWrongWordByItsNumberAmongAllAllocations) {
  Content second;
  second.area().base = 2 * kQuads;
  second.fill();
  second.words()[6] ^= 1;
  second.words()[9] ^= 1;
  const PatternReport report = second.verify();
  ASSERT_EQ(report.wrong, 2u);
  EXPECT_EQ(std::min(report.words[0].number, report.words[1].number), 2 * kQuads + 6);
  EXPECT_EQ(std::max(report.words[0].number, report.words[1].number), 2 * kQuads + 9);
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
  Content pattern;
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

// How many of 2,000 words differ when 2,000 others, 4 GiB further on, are written into their cells.
std::uint64_t wrong_where_aliased(Pattern kind) {
  const SparseMemory memory;
  if (!memory.usable()) return ~0ULL;
  Alias alias(memory);
  PatternArea low{memory.quads(), 0, 1000, 0, kSeed, 0};
  low.pattern = kind;
  PatternArea high = low;
  high.begin = (4ULL << 30) / sizeof(Quad);
  high.end = high.begin + 1000;
  launch_on_host("cutopsy_pattern_fill", kShape, alias, low);
  launch_on_host("cutopsy_pattern_fill", kShape, alias, high);
  PatternReport report{};
  launch_on_host("cutopsy_pattern_verify", kShape, alias, low, &report);
  EXPECT_EQ(report.compared, 2000u);
  return report.wrong;
}

TEST(MemoryPattern, ShowsTwoAddressesThatReachOneCellOnlyWhereNoTwoWordsAreAlike) {
  if (!SparseMemory().usable()) GTEST_SKIP() << "this machine grants no 64 GiB of address space";
  EXPECT_EQ(wrong_where_aliased(Pattern::own_address), 2000u);
  EXPECT_EQ(wrong_where_aliased(Pattern::address_hash), 2000u);
  EXPECT_EQ(wrong_where_aliased(Pattern::constant), 0u);
  EXPECT_EQ(wrong_where_aliased(Pattern::walking_bit), 0u);
}

}  // namespace
}  // namespace cutopsy::kernels
