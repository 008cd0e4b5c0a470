#include "parsers/pair_filter.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace cutopsy {
namespace {

TEST(PairFilter, DeniesALiteralWhosePairsAreMissing) {
  const PairFilter pairs("CUDA error: out of memory");
  EXPECT_FALSE(pairs.may_hold("NCCL"));
  EXPECT_FALSE(pairs.may_hold("memo ry"));
  EXPECT_TRUE(pairs.may_hold("out of"));
}

TEST(PairFilter, AdmitsTextsTooShortForAPair) {
  const PairFilter pairs("");
  EXPECT_TRUE(pairs.may_hold(""));
  EXPECT_TRUE(pairs.may_hold("x"));
  EXPECT_FALSE(pairs.may_hold("xy"));
}

TEST(PairFilter, NeverDeniesWhatStandsInTheText) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::string text(random() % 300, '\0');
    for (char& c : text) c = static_cast<char>(random());
    const PairFilter pairs(text);
    for (std::size_t begin = 0; begin < text.size(); begin += 1 + random() % 20) {
      const std::string part = text.substr(begin, 1 + random() % 24);
      ASSERT_TRUE(pairs.may_hold(part)) << round;
    }
  }
}

}  // namespace
}  // namespace cutopsy
