#include "parsers/torch_profile.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

const std::string kHeader =
    "                                Name    Self CPU %      Self CPU   CPU total %     CPU total     Self CUDA   Self "
    "CUDA %    CUDA total  # of Calls  ";

TEST(TorchProfile, CopiesAndLaunchesOfATable) {
  const Parsed parsed =
      parse_records(kTorchProfileParser,
                    {
                        kHeader,
                        "------------------------------------  ------------  ------------  ------------  ------------",
                        "                         aten::copy_        39.12%       21.634s        52.86%       29.230s  "
                        "      7.001s        "
                        "61.51%        7.001s          8335  ",
                        "    Memcpy HtoD (Pageable -> Device)         0.00%       0.000us         0.00%       0.000us  "
                        "      6.541s        "
                        "57.00%        6.541s           300  ",
                        "      Memcpy DtoH (Device -> Pinned)         0.00%       0.000us         0.00%       0.000us  "
                        "   100.000ms         "
                        "3.00%     100.000ms           100  ",
                        "      Memcpy DtoD (Device -> Device)         0.00%       0.000us         0.00%       0.000us  "
                        "   100.000ms         "
                        "3.00%     100.000ms           100  ",
                        "                    cudaLaunchKernel         2.36%        1.303s         2.36%        1.303s  "
                        "     0.000us         "
                        "0.00%       0.000us          1000  ",
                        "------------------------------------  ------------  ------------  ------------  ------------",
                        "Self CPU time total: 55.301s",
                        "Self CUDA time total: 10.000s",
                        "epoch 2",
                    });
  ASSERT_EQ(parsed.events.size(), 1u);
  const Event& event = parsed.events[0];
  EXPECT_EQ(event.kind, "nvprof.summary");
  EXPECT_EQ(event.fields.get("tool"), "torch");
  EXPECT_EQ(event.fields.get("copy_share"), "0.60");
  EXPECT_EQ(event.fields.get("copies"), "400");
  EXPECT_EQ(event.fields.get("pageable_share"), "0.75");
  EXPECT_EQ(event.fields.get("kernels"), "1000");
  EXPECT_EQ(event.fields.get("mean_kernel_us"), "4000.00");
}

TEST(TorchProfile, TablesOfTheCpuAndBrokenRowsAreNone) {
  EXPECT_TRUE(parse_records(kTorchProfileParser, {"   Name    Self CPU %      Self CPU   CPU total %  # of Calls",
                                                  "   aten::mm     39.12%       21.634s        52.86%      12"})
                  .events.empty());
  EXPECT_TRUE(
      parse_records(kTorchProfileParser, {kHeader, "Memcpy HtoD (Pageable -> Device)  1%  2%", "x"}).events.empty());
  EXPECT_TRUE(parse_records(kTorchProfileParser, {"we sort by Self CUDA % here"}).events.empty());
}

}  // namespace
}  // namespace cutopsy
