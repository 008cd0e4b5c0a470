#include "validators/parameters.h"

#include <gtest/gtest.h>

#include <tuple>

namespace cutopsy {
namespace {

Parameters given(std::string value) {
  Parameters parameters;
  parameters.set("x", std::move(value));
  return parameters;
}

constexpr std::uint64_t kMost = 1ULL << 50;

TEST(Parameters, CountSizesInPowersOf1024) {
  for (const auto& [text, bytes] : {std::tuple("20.00 MiB", 20ULL << 20),
                                    {"2 GiB", 2ULL << 30},
                                    {"1.5GB", 3ULL << 29},
                                    {"64M", 64ULL << 20},
                                    {"4096", 4096ULL},
                                    {"12 bytes", 12ULL},
                                    {"1kB", 1024ULL}}) {
    EXPECT_EQ(given(text).bytes("x", kMost), bytes) << text;
  }
}

TEST(Parameters, TakeNoSizeFromOtherWords) {
  for (const char* text : {"", "GiB", "-1 GiB", "nan", "inf", "2 apples", "1 GiBs", "?"}) {
    EXPECT_FALSE(given(text).bytes("x", kMost)) << text;
  }
}

TEST(Parameters, ClampSizesAndNumbers) {
  EXPECT_EQ(given("9999999999 TiB").bytes("x", kMost), kMost);
  EXPECT_EQ(given("1e300").bytes("x", kMost), kMost);
  EXPECT_EQ(given("70000").number("x", 1, 65535), 65535);
  EXPECT_EQ(given("-5").number("x", 0, 9), 0);
  EXPECT_EQ(given("99999999999999999999999").number("x", 0, 9), 9);
}

TEST(Parameters, TakeNoNumberFromOtherWords) {
  for (const char* text : {"", "7x", "0x10", "1.5"}) EXPECT_FALSE(given(text).number("x", 0, 99)) << text;
}

TEST(Parameters, TakeOnlyAbsolutePathsThatDoNotClimb) {
  EXPECT_EQ(given("/opt/libtorch_cuda.so").path("x"), "/opt/libtorch_cuda.so");
  EXPECT_EQ(given("/opt/..lib/x").path("x"), "/opt/..lib/x");
  for (const char* text : {"", "lib.so", "../x", "/opt/../etc/shadow", "/..", "/a\nb"}) {
    EXPECT_FALSE(given(text).path("x")) << text;
  }
}

TEST(Parameters, RefuseControlCharactersAndEndlessTexts) {
  EXPECT_FALSE(given("a\x1b[31m").text("x"));
  EXPECT_FALSE(given(std::string(5000, 'a')).text("x"));
  EXPECT_FALSE(Parameters().text("x"));
}

}  // namespace
}  // namespace cutopsy
