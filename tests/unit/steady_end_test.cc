// The progress with which a log ends.
#include "engine/explain/steady_end.h"

#include <gtest/gtest.h>

#include <string>

namespace cutopsy {
namespace {

std::string steps(std::uint64_t count) {
  std::string text;
  for (std::uint64_t i = 0; i < count; ++i) text += "step " + std::to_string(i) + " loss 1.25\n";
  return text;
}

TEST(SteadyEnd, BeginsBehindTheLastError) {
  const std::string tail = "RuntimeError: the metrics server failed\n" + steps(kSteadyLines);
  EXPECT_EQ(steady_since(tail, 1000), 1000 - kSteadyLines + 1);
}

TEST(SteadyEnd, NeedsEnoughProgress) {
  EXPECT_EQ(steady_since(steps(kSteadyLines - 1), kSteadyLines - 1), 0u);
}

TEST(SteadyEnd, IsNoneBehindAnError) {
  EXPECT_EQ(steady_since(steps(2 * kSteadyLines) + "RuntimeError: failed\n", 2 * kSteadyLines + 1), 0u);
}

TEST(SteadyEnd, CountsBarsAndEpochsToo) {
  std::string tail;
  for (std::uint64_t i = 0; i < kSteadyLines; ++i)
    tail += i % 2 == 0 ? "{'loss': 1.2, 'epoch': 0.5}\n" : " 10%|#   | 12/120 [00:10<01:30, 1.2it/s]\n";
  EXPECT_EQ(steady_since(tail, kSteadyLines), 1u);
}

TEST(SteadyEnd, IsNotTheFramesOfAStack) {
  std::string tail;
  for (int i = 0; i < 100; ++i) tail += "frame #" + std::to_string(i) + ": <unknown function> + 0xdbbf4\n";
  EXPECT_EQ(steady_since(tail, 100), 0u);
}

}  // namespace
}  // namespace cutopsy
