// Errors that Python prints and goes on from. Samples: CPython's own output (3.8 to 3.14, Python/errors.c), reports of
// Pool.__del__, tqdm and NCCL's process group at shutdown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/pipeline.h"

namespace cutopsy {
namespace {

using ::testing::IsEmpty;

const RuleIndex& index() {
  static const RuleIndex index(RuleSet::built_in());
  return index;
}

Analysis analyse(const std::string& log) {
  auto source = open_text(log);
  return cutopsy::analyse(index(), "log", *source);
}

constexpr std::string_view kTraceback =
    "Traceback (most recent call last):\n"
    "  File \"/usr/lib/python3.11/multiprocessing/pool.py\", line 271, in __del__\n"
    "    self._change_notifier.put(None)\n"
    "RuntimeError: CUDA error: an illegal memory access was encountered\n";

class Ignored : public testing::TestWithParam<std::string_view> {};

TEST_P(Ignored, IsNoFailure) {
  const auto analysis = analyse(std::string(GetParam()) + "\n" + std::string(kTraceback));
  EXPECT_EQ(analysis.diagnosis.outcome, Outcome::warning);
}

TEST_P(Ignored, DoesNotHideTheSameErrorWhereItEndedTheProgram) {
  const auto analysis =
      analyse(std::string(GetParam()) + "\n" + std::string(kTraceback) + "done\n" + std::string(kTraceback));
  EXPECT_EQ(analysis.diagnosis.outcome, Outcome::failure);
  ASSERT_FALSE(analysis.diagnosis.incidents.empty());
  EXPECT_EQ(analysis.diagnosis.incidents[0].where.line, 10u);
}

INSTANTIATE_TEST_SUITE_P(Heads, Ignored,
                         testing::Values("Exception ignored in: <function Pool.__del__ at 0x7f1f0c0d5d30>",
                                         "Exception ignored in atexit callback: <function finish at 0x7f1f0c0d5d30>",
                                         "Exception ignored in sys.unraisablehook: <built-in function unraisablehook>",
                                         "Exception ignored on threading shutdown: <module 'threading'>",
                                         "Exception ignored while calling deallocator <function Pool.__del__>: None",
                                         "Error in atexit._run_exitfuncs:",
                                         " 40%|####      | 40/100 [00:40<01:00]Exception ignored in: <function "
                                         "tqdm.__del__ at 0x7f1f0c0d5d30>"));

TEST(IgnoredException, IsReadWithoutATraceback) {
  const auto analysis = analyse(
      "Exception ignored in: <_io.TextIOWrapper name='<stdout>' mode='w' encoding='utf-8'>\n"
      "BrokenPipeError: [Errno 32] Broken pipe\n");
  EXPECT_NE(analysis.diagnosis.outcome, Outcome::failure);
}

TEST(IgnoredException, AThreadsExceptionIsAFailure) {
  const auto analysis = analyse("Exception in thread Thread-2 (_pin_memory_loop):\n" + std::string(kTraceback));
  EXPECT_EQ(analysis.diagnosis.outcome, Outcome::failure);
}

TEST(IgnoredException, ProseAboutOneIsNothing) {
  EXPECT_THAT(analyse("the message 'Exception ignored in' is harmless\nstep 2\n").diagnosis.incidents, IsEmpty());
}

}  // namespace
}  // namespace cutopsy
