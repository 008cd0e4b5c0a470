#include "engine/explain/last_words.h"

#include <gtest/gtest.h>

namespace cutopsy {
namespace {

TEST(LastWords, AreTheLastLineThatLooksLikeAnError) {
  auto line = last_error_line(
      "step 1\nggml: internal error in x.cu\nshutting down\nProcess completed with exit code 1.\n", 104);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->text, "ggml: internal error in x.cu");
  EXPECT_EQ(line->where.line, 102u);
}

TEST(LastWords, GoByTheLevelToo) {
  auto line = last_error_line("2026-11-30 10:00:00,123 - trainer - ERROR - the store went away\n", 1);
  ASSERT_TRUE(line);
  EXPECT_EQ(line->text, "the store went away");
  EXPECT_EQ(line->where.line, 1u);
}

TEST(LastWords, PassOverWhatShellsAndToolsAdd) {
  EXPECT_FALSE(last_error_line("make: *** [all] Error 2\n##[error]Process completed with exit code 2.\n", 2));
  EXPECT_FALSE(last_error_line("0 errors, 0 failures\nTests failed: 0\n", 2));
  EXPECT_FALSE(last_error_line("", 0));
}

}  // namespace
}  // namespace cutopsy
