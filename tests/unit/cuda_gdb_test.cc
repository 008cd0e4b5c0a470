#include "parsers/cuda_gdb.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

TEST(CudaGdb, ExceptionWithPlaceThreadAndFrame) {
  const Parsed parsed = parse_records(
      kCudaGdbParser, {
                          "CUDA Exception: Warp Illegal Address",
                          "The exception was triggered at PC 0x155528f1a6c0 (ParticlePush.H:137)",
                          "",
                          "Thread 1 \"beamtrack\" received signal CUDA_EXCEPTION_14, Warp Illegal Address.",
                          "[Switching focus to CUDA kernel 0, grid 61, block (39,0,0), thread (96,0,0), device 0, sm "
                          "4, warp 11, lane 0]",
                          "0x0000155528f1a6d0 in beam::detail::PushSingle<beam::Drift>::operator() "
                          "(this=0x7fffd0fffa90, i=10080) at /scratch/beam/src/particles/ParticlePush.H:137",
                          "137\t        amrex::ParticleReal const px = m_part_px[i];",
                          "(cuda-gdb) bt",
                      });
  ASSERT_EQ(parsed.events.size(), 1u);
  const Event& event = parsed.events[0];
  EXPECT_EQ(event.kind, "sanitizer.report");
  EXPECT_EQ(event.fields.get("tool"), "cuda-gdb");
  EXPECT_EQ(event.fields.get("kind"), "oob");
  EXPECT_EQ(event.fields.get("error"), "Warp Illegal Address");
  EXPECT_EQ(event.fields.get("code"), "CUDA_EXCEPTION_14");
  EXPECT_EQ(event.fields.get("location"), "ParticlePush.H:137");
  EXPECT_EQ(event.fields.get("address"), "0x155528f1a6c0");
  EXPECT_EQ(event.fields.get("block"), "(39,0,0)");
  EXPECT_EQ(event.fields.get("thread"), "(96,0,0)");
  EXPECT_EQ(event.fields.get("kernel"), "beam::detail::PushSingle<beam::Drift>::operator()");
}

TEST(CudaGdb, OldVersionsOpenWithTheSignal) {
  const Parsed parsed = parse_records(
      kCudaGdbParser,
      {
          "Program received signal CUDA_EXCEPTION_6, Warp Misaligned Address.",
          "[Switching focus to CUDA kernel 0, grid 1, block (0,0,0), thread (0,0,0), device 0, sm 0, warp 0, lane 0]",
          "0x00000000000908c0 in fill<<<(1,1,1),(32,1,1)>>> (data=0x7fffcf200000) at fill.cu:9",
      });
  ASSERT_EQ(parsed.events.size(), 1u);
  EXPECT_EQ(parsed.events[0].fields.get("kind"), "misaligned");
  EXPECT_EQ(parsed.events[0].fields.get("code"), "CUDA_EXCEPTION_6");
  EXPECT_EQ(parsed.events[0].fields.get("kernel"), "fill");
  EXPECT_EQ(parsed.events[0].fields.get("location"), "fill.cu:9");
}

TEST(CudaGdb, MemcheckInsideTheDebuggerNamesTheAddress) {
  const Parsed parsed =
      parse_records(kCudaGdbParser, {
                                        "Illegal access to address (@global)0x7fffcfc00a88 detected.",
                                        "",
                                        "Thread 1 \"stencil\" received signal CUDA_EXCEPTION_1, Lane Illegal Address.",
                                        "[Switching focus to CUDA kernel 0, grid 1, block (0,0,0), thread (416,0,0), "
                                        "device 0, sm 0, warp 13, lane 0]",
                                        "0x0000000000f54430 in applyStencil1D (sIdx=2, eIdx=1022) at stencil.cu:7",
                                    });
  ASSERT_EQ(parsed.events.size(), 1u);
  EXPECT_EQ(parsed.events[0].fields.get("error"), "Lane Illegal Address");
  EXPECT_EQ(parsed.events[0].fields.get("code"), "CUDA_EXCEPTION_1");
  EXPECT_EQ(parsed.events[0].fields.get("address"), "0x7fffcfc00a88");
  EXPECT_EQ(parsed.events[0].fields.get("space"), "global");
  EXPECT_EQ(parsed.events[0].fields.get("location"), "stencil.cu:7");
}

TEST(CudaGdb, FramesWithoutLinesStillNameTheKernel) {
  const Parsed parsed =
      parse_records(kCudaGdbParser, {
                                        "CUDA Exception: Warp Illegal Address",
                                        "0x00007ff35529d000 in void convert_unary<float, __half>(void const*, __half*, "
                                        "long)<<<(32,1,1),(256,1,1)>>> ()",
                                    });
  ASSERT_EQ(parsed.events.size(), 1u);
  EXPECT_EQ(parsed.events[0].fields.get("kernel"), "convert_unary<float, __half>");
}

TEST(CudaGdb, CoreDumpsOfTheDriverNameTheException) {
  const Parsed parsed = parse_records(
      kCudaGdbParser, {
                          "coredump: Detected an exception of type CUDBG_EXCEPTION_WARP_OUT_OF_RANGE_ADDRESS (5)",
                          "coredump:   - Device: 0",
                          "coredump:   - PC 0x7462c3bac310",
                          "coredump: Stack trace (lane masks: active 0xFFFFFFFF, valid 0xFFFFFFFF):",
                          "coredump:   #0\t0x7462c3bac620\t_Z25illegalMemoryAccessKernelPii",
                          "",
                          "coredump: Writing ELF file to /tmp/cuda_coredump_xxx.1799919.1754898045",
                      });
  ASSERT_EQ(parsed.events.size(), 1u);
  EXPECT_EQ(parsed.events[0].fields.get("error"), "Warp Out-of-range Address");
  EXPECT_EQ(parsed.events[0].fields.get("code"), "CUDBG_EXCEPTION_WARP_OUT_OF_RANGE_ADDRESS");
  EXPECT_EQ(parsed.events[0].fields.get("kind"), "oob");
  EXPECT_EQ(parsed.events[0].fields.get("address"), "0x7462c3bac310");
  EXPECT_EQ(parsed.events[0].fields.get("kernel"), "_Z25illegalMemoryAccessKernelPii");
}

TEST(CudaGdb, CutSessionsStillTellTheException) {
  const Parsed parsed = parse_records(kCudaGdbParser, {"CUDA Exception: Warp Illegal Instruction"});
  ASSERT_EQ(parsed.events.size(), 1u);
  EXPECT_EQ(parsed.events[0].fields.get("kind"), "other");
}

TEST(CudaGdb, OrdinarySignalsAreNone) {
  EXPECT_TRUE(parse_records(kCudaGdbParser, {"Thread 1 \"a.out\" received signal SIGSEGV, Segmentation fault.",
                                             "CUDA Exception: ", "received signal CUDA_EXCEPTION_, "})
                  .events.empty());
}

}  // namespace
}  // namespace cutopsy
