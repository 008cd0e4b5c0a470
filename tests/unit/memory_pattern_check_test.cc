// memory-pattern on simulated machines: with each fault of a memory, without, and where it cannot tell.
#include "tests/unit/gpu_check_case.h"
#include "validators/pattern_controls.h"

namespace cutopsy {
namespace {

// The memory beyond what is tested has room for traffic that drives the simulated L2 cache, of 64 KiB, out twice.
#define kRoomToWalk "[gpu 0]\nmemory.total = 8 MiB\nattribute.38 = 65536\n"
const std::map<std::string, std::string, std::less<>> kOneMebibyte = {{"bytes", "1 MiB"}};

TEST_P(GpuCheck, AnswersAsTheMachineIs) {
  expect_answer_of(GetParam());
}

const Case kPattern[] = {
    {.name = "healthy",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "no: no word differed in 7.1 MiB of 8 MiB of memory (89%)",
     .measured = {"tested_bytes=7549728", "total_bytes=8388608", "clean_passes=4", "kernels=fatbin"}},
    {.name = "ecc_is_on",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 1 MiB\nattribute.32 = 1\n",
     .expected = "no: ",
     .measured = {"ecc=on"}},
    {.name = "old_driver",
     .check = "memory-pattern",
     .scenario = "cuda_version = 11040\n[gpu 0]\nmemory.total = 8 MiB\n",
     .expected = "no: ",
     .parameters = {{"bytes", "1 MiB"}},
     .measured = {"kernels=lowered PTX"}},
    {.name = "standard",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "no: no word differed in 64 KiB of 8 MiB of memory (0%) that held own-address, address-hash, "
                 "inversions, walking-bit, random; every planted error came back",
     .parameters = {{"bytes", "64 KiB"}},
     .level = Level::standard,
     .measured = {"patterns=own-address, address-hash, inversions, walking-bit, random", "clean_passes=11",
                  "rounds=1"}},
    {.name = "some_patterns",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "no: ",
     .parameters = {{"bytes", "64 KiB"}, {"patterns", "walking-bit, inversions"}},
     .measured = {"patterns=walking-bit, inversions", "clean_passes=5"}},
    {.name = "unknown_pattern",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "could not run: no pattern is called zebra",
     .parameters = {{"patterns", "own-address,zebra"}}},
    {.name = "stuck_at_one",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "stuck = 0x12340:0x100:0x100\n",
     .expected = "yes: 1 of 131072 words differ from the pattern that was written (own-address), for one at offset "
                 "0x12340 of the memory tested, in the bits 0x100: stuck at 1 in the bits 0x100",
     .parameters = kOneMebibyte,
     .measured = {"wrong_words=1", "first_offset=0x12340", "first_mask=0x100", "kinds=1 stuck",
                  "faults=0x12340 in 0x100: stuck at 1 in the bits 0x100", "read_again=past the L2 cache"}},
    {.name = "stuck_at_zero",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "stuck = 0x12340:0x100:0\n",
     .expected = "yes: 1 of ",
     .parameters = kOneMebibyte,
     .measured = {"pattern=own-address, complement", "first_offset=0x12340", "first_mask=0x100",
                  "first_kind=stuck at 0 in the bits 0x100"}},
    {.name = "stuck_at_both",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "stuck = 0x12340:0x8000000000000101:1\n",
     .expected = "yes: 1 of ",
     .parameters = kOneMebibyte,
     .measured = {"first_mask=0x1", "first_kind=stuck at 1 in the bits 0x1, at 0 in the bits 0x8000000000000100"}},
    {.name = "stuck_where_nothing_can_be_driven_out_of_the_cache",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nstuck = 0x12340:0x100:0x100\n",
     .expected = "yes: 1 of 943716 words differ",
     .measured = {"kinds=1 stuck", "read_again=there was no memory for traffic past the L2 cache"}},
    {.name = "flipping_in_the_first_word",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "flip = 0:1\n",
     .expected = "yes: 1 of ",
     .parameters = kOneMebibyte,
     .measured = {"first_offset=0x0", "first_mask=0x1", "clean_passes=0", "first_kind=stored wrong again and again"}},
    {.name = "flipping_in_the_last_word",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "flip = 1048568:0x80000000\n",
     .expected = "yes: 1 of 131072 ",
     .parameters = kOneMebibyte,
     .measured = {"first_offset=0xffff8", "first_mask=0x80000000"}},
    {.name = "flipping_once",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "flip_once = 0x80000:2\n",
     .expected = "yes: 1 of ",
     .parameters = kOneMebibyte,
     .measured = {"first_offset=0x80000", "first_mask=0x2", "first_kind=stored wrong once"}},
    {.name = "flipping_once_where_the_cache_may_answer",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nflip_once = 0x80000:2\n",
     .expected = "yes: 1 of ",
     .measured = {"kinds=1 unsettled"}},
    {.name = "misread_once",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "misread_once = 0x80008:0x40\n",
     .expected = "yes: 1 of ",
     .parameters = kOneMebibyte,
     .measured = {"first_offset=0x80008", "first_mask=0x40", "first_kind=right when it was read again"}},
    // Read again at once, the word would be as wrong as before, and seem to be stored so.
    {.name = "misread_into_the_cache",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "misread_cached = 0xff008:0x40\n",
     .expected = "yes: 1 of ",
     .parameters = kOneMebibyte,
     .measured = {"first_offset=0xff008", "first_mask=0x40", "kinds=1 transient"}},
    {.name = "several_kinds",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "stuck = 0x40000:1:1\nflip_once = 0x40010:2\nmisread_once = 0xff008:4\n",
     .expected = "yes: 3 of ",
     .parameters = kOneMebibyte,
     .measured = {"kinds=1 transient, 1 stored wrong, 1 stuck",
                  "faults=0x40000 in 0x1: stuck at 1 in the bits 0x1; 0x40010 in 0x2: stored wrong once; 0xff008 in "
                  "0x4: right when it was read again"}},
    {.name = "wrong_in_an_inversion",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "misread_once = 0x80008:0x40\n",
     .expected =
         "yes: 1 of 131072 words differ from the pattern that was written (inversions), for one at offset 0x80008",
     .parameters = {{"bytes", "1 MiB"}, {"patterns", "inversions"}},
     .measured = {"first_kind=right when it was read again"}},
    {.name = "stuck_in_an_inversion",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "stuck = 0x80008:0x40:0\n",
     .expected = "yes: 1 of 131072 words differ from the pattern that was written (inversions, complement)",
     .parameters = {{"bytes", "1 MiB"}, {"patterns", "inversions"}},
     .measured = {"first_kind=stuck at 0 in the bits 0x40", "clean_passes=1"}},
    {.name = "aliased",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "alias_bit = 19\n",
     .expected = "yes: 655",
     .parameters = kOneMebibyte,
     .measured = {"clean_passes=0", "kinds=256 aliased", "first_mask=0x10000",
                  "first_kind=in the same cell as offset 0x80000"}},
    {.name = "aliased_where_another_pattern_meets_it",
     .check = "memory-pattern",
     .scenario = kRoomToWalk "alias_bit = 19\n",
     .expected = "yes: 655",
     .parameters = {{"bytes", "1 MiB"}, {"patterns", "address-hash"}},
     .measured = {"pattern=own-address", "kinds=256 aliased"}},
    {.name = "ecc",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nuncorrectable = 4096\n",
     .expected = "yes: reading the pattern back met an uncorrectable"},
    {.name = "beyond_a_quick_test",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nflip = 0x200000:1\n",
     .expected = "no: no word differed in 2 MiB of 8 MiB of memory (25%)",
     .parameters = {{"bytes", "2 MiB"}},
     .measured = {"coverage_percent=25"}},
    {.name = "in_pieces",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nmemory.largest = 2 MiB\n",
     .expected = "no: no word differed in 7.1 MiB"},
    {.name = "faulty_in_a_later_piece",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nmemory.largest = 2 MiB\nflip = 0x500000:1\n",
     .expected = "yes: 1 of "},
    {.name = "integrated",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nintegrated = 1\n",
     .expected = "no: no word differed in 819 KiB of 8 MiB",
     .measured = {"limited_because=the device's memory is the host's"}},
    {.name = "wsl",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "no: no word differed in 819 KiB",
     .wsl = true},
    {.name = "more_than_there_is",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "no: no word differed in 7.1 MiB",
     .parameters = {{"bytes", "1 TiB"}}},
    {.name = "thorough",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "no: ",
     .parameters = {{"bytes", "64 KiB"}},
     .level = Level::thorough,
     .budget = std::chrono::milliseconds(600)},
    {.name = "no_time",
     .check = "memory-pattern",
     .scenario = kSmall,
     .expected = "could not run: there was no time",
     .budget = std::chrono::milliseconds(0)},
    {.name = "launch_fails",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nlaunch_error = 719\n",
     .expected = "could not run: cuCtxSynchronize failed with error 719"},
    {.name = "later_launch_fails",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\ncu.cuLaunchKernel = 702 after 9\n",
     .expected = "could not run: cuLaunchKernel failed with error 702"},
    {.name = "nothing_free",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\nmemory.free = 16 KiB\n",
     .expected = "undecided: only"},
    {.name = "nothing_to_be_had",
     .check = "memory-pattern",
     .scenario = "[gpu 0]\nmemory.total = 8 MiB\ncu.cuMemAlloc_v2 = 2\n",
     .expected = "undecided: what was free could not be had"},
};
INSTANTIATE_TEST_SUITE_P(MemoryPattern, GpuCheck, testing::ValuesIn(kPattern),
                         [](const auto& one) { return one.param.name; });

// A cell that is stuck at the very bit that the pattern wants there and the test flips: the pattern reads well, but
// the control does not come back.
TEST(MemoryPattern, ProvesNothingWhenAControlDoesNotComeBack) {
  constexpr std::uint64_t kBytes = 1 << 20;
  const Control control = choose_controls(kBytes / 8, 1, 1)[3];
  const std::uint64_t value = control.number & control.difference;  // as own-address, the first pattern, writes it
  const std::string scenario = "[gpu 0]\nmemory.total = 8 MiB\nstuck = " + std::to_string(8 * control.number) + ":" +
                               std::to_string(control.difference) + ":" + std::to_string(value) + "\n";
  const std::string answer = answer_of({.name = "blind",
                                        .check = "memory-pattern",
                                        .scenario = scenario.c_str(),
                                        .expected = "",
                                        .parameters = {{"bytes", std::to_string(kBytes)}, {"seed", "1"}}});
  if (kernels::kernel_image().empty()) GTEST_SKIP() << "built without a CUDA compiler";
  EXPECT_TRUE(answer.starts_with("could not run: errors that the test had planted did not come back")) << answer;
}

// As a kernel does that was compiled wrongly.
TEST(MemoryPattern, AccusesNoMemoryOfWhatMostOfItGetsWrongOnce) {
  std::string faults;
  for (int offset = 0; offset < 40'000; offset += 8) faults += (offset == 0 ? "" : ",") + std::to_string(offset) + ":1";
  const std::string scenario = kRoomToWalk "flip_once = " + faults + "\n";
  const std::string answer = answer_of({.name = "most",
                                        .check = "memory-pattern",
                                        .scenario = scenario.c_str(),
                                        .expected = "",
                                        .parameters = {{"bytes", "64 KiB"}}});
  if (kernels::kernel_image().empty()) GTEST_SKIP() << "built without a CUDA compiler";
  EXPECT_TRUE(
      answer.starts_with("undecided: 5000 words differ from the pattern that was written (own-address), more "
                         "than half of all"))
      << answer;
}

}  // namespace
}  // namespace cutopsy
