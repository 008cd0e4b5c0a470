#include "parsers/byte_size.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace cutopsy {
namespace {

std::uint64_t bytes_of(std::string_view text) {
  auto size = read_byte_size(text);
  EXPECT_TRUE(size) << text;
  return size ? size->bytes : 0;
}

TEST(ByteSize, ReadsThePrintedFormsOfTheFrameworks) {
  EXPECT_EQ(bytes_of("2.00 GiB"), 2147483648u);             // PyTorch
  EXPECT_EQ(bytes_of("187.62MiB"), 196733829u);             // TensorFlow
  EXPECT_EQ(bytes_of("536870912kB"), 549755813888u);        // the kernel
  EXPECT_EQ(bytes_of("8,000,000,000 bytes"), 8000000000u);  // CuPy
  EXPECT_EQ(bytes_of("184549376B"), 184549376u);            // XLA
  EXPECT_EQ(bytes_of("1.97G"), 2115271393u);                // TensorFlow 1.x
  EXPECT_EQ(bytes_of("7.782776GB"), 8356692098u);           // Paddle
  EXPECT_EQ(bytes_of("0 bytes"), 0u);
  EXPECT_EQ(bytes_of("1900,00 MiB"), 1992294400u);  // llama.cpp in a locale with decimal commas
}

TEST(ByteSize, AllSpellingsOfAPrefixArePowersOf1024) {
  for (const char* text : {"5 KiB", "5KiB", "5kB", "5 KB", "5kb", "5K", "5k", "5 KBytes", "5120 bytes", "5,120 bytes",
                           "5120 B", "5.0 KiB", "5120 Bytes"})
    EXPECT_EQ(bytes_of(text), 5120u) << text;
  EXPECT_EQ(bytes_of("81251 MBytes"), 85197848576u);  // deviceQuery
  EXPECT_EQ(bytes_of("12.5G"), 13421772800u);
  EXPECT_EQ(bytes_of("2 TB"), 2199023255552u);
}

TEST(ByteSize, SaysWhetherThereWasAUnit) {
  EXPECT_TRUE(read_byte_size("12 kB")->has_unit);
  EXPECT_TRUE(read_byte_size("12 bytes")->has_unit);
  EXPECT_FALSE(read_byte_size("12")->has_unit);
  EXPECT_FALSE(read_byte_size("12 GPUs")->has_unit);
}

TEST(ByteSize, NumberWithoutUnitCountsBytes) {
  EXPECT_EQ(bytes_of("939524096"), 939524096u);
  EXPECT_EQ(bytes_of("2 GPUs"), 2u);
}

TEST(ByteSize, KeepsTheTextAsPrintedAndNothingAfterIt) {
  EXPECT_EQ(read_byte_size("62.00 MiB (GPU 0;")->text, "62.00 MiB");
  EXPECT_EQ(read_byte_size("4.44GiB (rounded")->text, "4.44GiB");
  EXPECT_EQ(read_byte_size("4770354232 bytes.")->text, "4770354232 bytes");
  EXPECT_EQ(read_byte_size("1024. Then")->text, "1024");
  EXPECT_EQ(read_byte_size("12, 13")->text, "12");
}

TEST(ByteSize, SizesThatDoNotFitAreTheLargestValue) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(bytes_of("17179869184.00 GiB"), kMost);  // cudaMallocAsync prints it for "no limit"
  EXPECT_EQ(bytes_of("99999999999999999999999"), kMost);
  EXPECT_EQ(bytes_of("16EB"), kMost);
}

TEST(ByteSize, TextThatIsNoSizeGivesNone) {
  EXPECT_FALSE(read_byte_size(""));
  EXPECT_FALSE(read_byte_size("GiB"));
  EXPECT_FALSE(read_byte_size(".5 GiB"));
  EXPECT_FALSE(read_byte_size("-5 GiB"));
}

TEST(ByteSize, LongRunsOfDigitsAreCut) {
  EXPECT_TRUE(read_byte_size(std::string(100000, '7')));
}

}  // namespace
}  // namespace cutopsy
