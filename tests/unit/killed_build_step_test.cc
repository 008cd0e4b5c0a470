// Samples: ninja 1.11 and 1.12 running nvcc for setuptools and CMake, as in reports of builds that ran out of memory.
#include "parsers/killed_build_step.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

TEST(KilledBuildStep, ReadsTheShellsWordBelowTheCompilersCommand) {
  const Parsed parsed = parse_records(kKilledBuildStepParser, {
                                                                  "      FAILED: [code=137] build/flash_bwd.o",
                                                                  "      /usr/local/cuda/bin/nvcc -c bwd.cu -o bwd.o",
                                                                  "      Killed",
                                                                  "      ninja: build stopped: subcommand failed.",
                                                              });
  ASSERT_EQ(parsed.events.size(), 1u);
  EXPECT_EQ(parsed.events[0].kind, "kernel.oom_kill");
  EXPECT_EQ(parsed.events[0].emitter, "shell");
  EXPECT_EQ(parsed.events[0].fields.get("process"), "nvcc");
  EXPECT_EQ(parsed.events[0].where.line, 3u);
}

TEST(KilledBuildStep, PassesOverWhatTheCompilerPrintedBefore) {
  const Parsed parsed =
      parse_records(kKilledBuildStepParser, {"FAILED: k.o", "cd /w && /usr/bin/x86_64-linux-gnu-g++ -O2 -c k.cpp",
                                             "k.cpp:12: warning: unused variable 'x'", "Killed"});
  ASSERT_EQ(parsed.events.size(), 1u);
  EXPECT_EQ(parsed.events[0].fields.get("process"), "g++");
}

TEST(KilledBuildStep, LeavesOtherFailuresAndOtherVictimsAlone) {
  EXPECT_TRUE(parse_records(kKilledBuildStepParser, {"FAILED: k.o", "/usr/bin/nvcc -c k.cu", "k.cu(3): error: no",
                                                     "ninja: build stopped: subcommand failed.", "Killed"})
                  .events.empty());
  EXPECT_TRUE(
      parse_records(kKilledBuildStepParser, {"FAILED: data.bin", "python make_data.py out", "Killed"}).events.empty());
  EXPECT_TRUE(
      parse_records(kKilledBuildStepParser, {"job FAILED: 3 of 4", "/usr/bin/nvcc -c k.cu", "Killed"}).events.empty());
}

}  // namespace
}  // namespace cutopsy
