#include "engine/match/masking.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

struct Masked {
  const char* text;
  const char* masked;
};
class Masking : public ::testing::TestWithParam<Masked> {};
TEST_P(Masking, KeepsWhatIsTheSameTomorrow) {
  EXPECT_EQ(mask(GetParam().text), GetParam().masked);
}
INSTANTIATE_TEST_SUITE_P(
    Table, Masking,
    ::testing::Values(Masked{"rank 12 of 16 failed", "rank # of # failed"}, Masked{"at 0x7f21aaF0: bad", "at #: bad"},
                      Masked{"No such file: '/home/me/run 1/data.bin'", "No such file: 'run #/data.bin'"},
                      Masked{"can't open C:\\Users\\me\\x.dll", "can't open C:x.dll"},
                      Masked{"see ../a/b/train.py:31", "see train.py:#"},
                      Masked{"took 3 ms (N/A) at 10 GB/s", "took # ms (N/A) at # GB/s"}, Masked{"", ""},
                      Masked{"/", ""}));

TEST(MaskingBound, CutsAtItsLimit) {
  EXPECT_EQ(mask(std::string(kMaxMaskedBytes, 'x')).size(), kMaxMaskedBytes);
  EXPECT_EQ(mask(std::string(kMaxMaskedBytes + 1, 'x')).size(), kMaxMaskedBytes);
}

}  // namespace
}  // namespace cutopsy
