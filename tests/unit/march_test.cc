// The marches' bodies on the CPU: what they write, and what they notice in shared memory and behind a cache.
#include "kernels/march.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/host_launch.h"
#include "validators/pattern_controls.h"

namespace cutopsy {
namespace {

using kernels::PatternArea;
using kernels::PatternReport;
using kernels::Quad;

constexpr std::uint32_t kWords = 1002;
constexpr kernels::LaunchShape kShape{.grid = 2, .block = 64, .shared_bytes = kWords * 8};

PassJudgement march(kernels::HostFaults& faults, unsigned block = 0) {
  const auto controls = choose_controls(kWords, 3, 2);  // none in the last word
  kernels::MarchControls planted{};
  std::copy(controls.begin(), controls.end(), planted.words);
  std::vector<PatternReport> reports(kShape.grid);
  std::vector<kernels::SmSpan> spans(kShape.grid);
  kernels::launch_on_host("cutopsy_march_shared", kShape, faults, spans.data(), reports.data(), std::uint32_t{kWords},
                          std::uint64_t{3}, planted);
  return judge(reports[block], controls, kernels::kMarchReads * kWords);
}

TEST(SharedMarch, FindsItsControlsAndNothingElseInGoodMemory) {
  kernels::HostFaults healthy;
  const PassJudgement judgement = march(healthy, 1);
  EXPECT_TRUE(judgement.trustworthy());
  EXPECT_EQ(judgement.fault_count, 0u);
}

// A bit of one word that reads as one value on one multiprocessor.
class Stuck : public kernels::HostFaults {
 public:
  Stuck(std::size_t word, std::uint64_t mask, bool one) : offset_(8 * word), mask_(mask), one_(one) {}
  void load_shared(std::size_t offset, void* value, std::size_t, unsigned sm) override {
    auto& word = *static_cast<std::uint64_t*>(value);
    if (sm == 1 && offset == offset_) word = one_ ? word | mask_ : word & ~mask_;
  }

 private:
  std::size_t offset_;
  std::uint64_t mask_;
  bool one_;
};

TEST(SharedMarch, NamesABitThatIsStuckAtEitherValueInTheFirstAndTheLastWord) {
  for (const std::size_t word : {std::size_t{0}, std::size_t{kWords - 1}}) {
    for (const bool one : {false, true}) {
      Stuck stuck(word, 1ULL << 63, one);
      const PassJudgement judgement = march(stuck, 1);
      ASSERT_FALSE(judgement.faults.empty());
      EXPECT_EQ(judgement.faults[0].number, word);
      EXPECT_EQ(judgement.faults[0].difference, 1ULL << 63);
      EXPECT_EQ(march(stuck, 0).fault_count, 0u);
    }
  }
}

// Reading one word disturbs nothing, but a word reads wrong after as many reads as there are words before the last
// element: only that one sees it.
class LateFlip : public kernels::HostFaults {
 public:
  explicit LateFlip(std::uint64_t read) : read_(read) {}
  void load_shared(std::size_t, void* value, std::size_t, unsigned) override {
    if (reads_++ == read_) *static_cast<std::uint64_t*>(value) ^= 1;
  }

 private:
  std::uint64_t read_;
  std::uint64_t reads_ = 0;
};

TEST(SharedMarch, ComparesInEachOfItsFiveReads) {
  for (std::uint64_t element = 0; element < kernels::kMarchReads; ++element) {
    // The controls are read once more before the last element.
    LateFlip late(element * kWords + (element == 4 ? 4 : 0) + 500);
    EXPECT_EQ(march(late).fault_count, 1u) << element;
  }
}

// The places that are read, in order.
class Recorder : public kernels::HostFaults {
 public:
  void load_shared(std::size_t offset, void*, std::size_t, unsigned sm) override {
    if (sm == 0) offsets.push_back(offset);
  }
  std::vector<std::size_t> offsets;
};

TEST(SharedMarch, RisesInTwoElementsAndFallsInThree) {
  Recorder recorder;
  march(recorder);
  std::string directions;
  for (std::uint64_t element = 0; element < kernels::kMarchReads; ++element) {
    // A thread has a place in every 64th word; those of the first thread of the element come first.
    const std::size_t first = element * kWords + (element == 4 ? 4 : 0);
    directions += recorder.offsets[first + 1] > recorder.offsets[first] ? '+' : '-';
  }
  EXPECT_EQ(directions, "++---");
}

class Cache {
 public:
  Cache() : quads_(5003) { launch("cutopsy_pattern_fill", area(0)); }
  std::uint64_t* words() { return &quads_[0].low; }
  PatternArea area(std::uint64_t flip) { return {quads_.data(), 0, quads_.size(), 0, 7, flip}; }
  PatternReport march(std::uint64_t flip, std::uint32_t shift) {
    PatternReport report{};
    launch("cutopsy_march_cache", area(flip), &report, shift);
    return report;
  }

 private:
  template <typename... Arguments>
  void launch(const char* kernel, Arguments... arguments) {
    kernels::HostFaults healthy;
    kernels::launch_on_host(kernel, {.grid = 3, .block = 32}, healthy, arguments...);
  }
  std::vector<Quad> quads_;
};

TEST(CacheMarch, ReadsOneFormAndLeavesTheOther) {
  Cache cache;
  const std::uint64_t before = cache.words()[9999];
  for (std::uint32_t pass = 0; pass < 4; ++pass) {
    const PatternReport report = cache.march(pass % 2 == 0 ? 0 : ~0ULL, pass);
    EXPECT_EQ(report.compared, 10006u);
    EXPECT_EQ(report.wrong, 0u);
    EXPECT_EQ(cache.words()[9999], pass % 2 == 0 ? ~before : before);
  }
}

TEST(CacheMarch, NamesAWrongWordAndRepairsIt) {
  Cache cache;
  cache.words()[10005] ^= 1ULL << 32;
  const PatternReport report = cache.march(0, 1);
  EXPECT_EQ(report.wrong, 1u);
  EXPECT_EQ(report.words[0].number, 10005u);
  EXPECT_EQ(report.words[0].difference, 1ULL << 32);
  EXPECT_EQ(cache.march(~0ULL, 2).wrong, 0u);
}

}  // namespace
}  // namespace cutopsy
