#include "parsers/mention.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

TEST(Mention, AReprIsNoSourceCode) {
  EXPECT_FALSE(only_mentioned("task failed: error=RuntimeError('"));
  EXPECT_FALSE(only_mentioned("level=WARN msg=\"retrying in 5s\" error=\"llama runner process has terminated: "));
  EXPECT_TRUE(only_mentioned("  throw std::runtime_error(\""));
}

TEST(Mention, ASuppositionCountsInItsOwnClauseOnly) {
  EXPECT_TRUE(only_mentioned("Errors such as "));
  EXPECT_TRUE(only_mentioned("statuses, e.g. "));
  EXPECT_FALSE(only_mentioned("Checking if the device is free: "));
}

TEST(Mention, ATrialThatMayFailIsNoFailure) {
  EXPECT_TRUE(only_mentioned("conv.py:456: UserWarning: Plan failed with a cudnnException: Failed cudnn_status: "));
  EXPECT_TRUE(only_mentioned("conv.py:456: UserWarning: Plan failed with an OutOfMemoryError: "));
}

}  // namespace
}  // namespace cutopsy
