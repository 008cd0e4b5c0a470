#include "parsers/sanitizer.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

Event report_in(const std::vector<std::string>& lines) {
  Parsed parsed = parse_records(kSanitizerParser, lines);
  EXPECT_EQ(parsed.events.size(), 1u) << lines[0];
  return parsed.events.empty() ? Event{} : parsed.events[0];
}

TEST(Sanitizer, OutOfBoundsReadOfOldMemcheck) {
  const Event event = report_in({
      "========= Invalid __global__ read of size 4",
      "=========     at 0x00000e88 in update_velocity",
      "=========     by thread (31,7,0) in block (15,0,0)",
      "=========     Address 0x701d9632c is out of bounds",
      "=========     Saved host backtrace up to driver entry point at kernel launch time",
      "=========     Host Frame:/usr/lib/x86_64-linux-gnu/libcuda.so.1 (cuLaunchKernel + 0x2c5) [0x203f65]",
      "=========",
  });
  EXPECT_EQ(event.kind, "sanitizer.report");
  EXPECT_EQ(event.where.line, 1u);
  EXPECT_EQ(event.fields.get("kind"), "oob");
  EXPECT_EQ(event.fields.get("tool"), "memcheck");
  EXPECT_EQ(event.fields.get("error"), "Invalid __global__ read of size 4");
  EXPECT_EQ(event.fields.get("kernel"), "update_velocity");
  EXPECT_EQ(event.fields.get("size"), "4");
  EXPECT_EQ(event.fields.get("access"), "read");
  EXPECT_EQ(event.fields.get("space"), "global");
  EXPECT_EQ(event.fields.get("thread"), "(31,7,0)");
  EXPECT_EQ(event.fields.get("block"), "(15,0,0)");
  EXPECT_EQ(event.fields.get("address"), "0x701d9632c");
}

TEST(Sanitizer, FrameLayoutsOfAllVersions) {
  const std::string opener = "========= Invalid __global__ write of size 4 bytes";
  const Event now =
      report_in({opener, "=========     at void ns::scan<(int)128>(float *, int)+0x90 in /home/u/k.cu:12"});
  EXPECT_EQ(now.fields.get("kernel"), "ns::scan<(int)128>");
  EXPECT_EQ(now.fields.get("location"), "/home/u/k.cu:12");
  EXPECT_EQ(now.fields.get("text"), "void ns::scan<(int)128>(float *, int)");
  const Event line_info = report_in({opener, "=========     at 0x160 in memcheck_demo.cu:34:unaligned_kernel()"});
  EXPECT_EQ(line_info.fields.get("kernel"), "unaligned_kernel");
  EXPECT_EQ(line_info.fields.get("location"), "memcheck_demo.cu:34");
  const Event of_2022 = report_in({opener, "=========     at unaligned_kernel():0x160 in memcheck_demo.cu:6"});
  EXPECT_EQ(of_2022.fields.get("kernel"), "unaligned_kernel");
  EXPECT_EQ(of_2022.fields.get("location"), "memcheck_demo.cu:6");
  const Event without = report_in({opener, "=========     at ns::fill(int *, int)+0x40"});
  EXPECT_EQ(without.fields.get("kernel"), "ns::fill");
  EXPECT_FALSE(without.fields.has("location"));
  const Event windows = report_in({opener, "=========     at 0x160 in C:/src/demo.cu:34:fill(int *)"});
  EXPECT_EQ(windows.fields.get("location"), "C:/src/demo.cu:34");
  const Event functor = report_in({opener, "=========     at push::operator()(int) const+0x40 in push.cuh:7"});
  EXPECT_EQ(functor.fields.get("kernel"), "push::operator()");
}

TEST(Sanitizer, MisalignedAccessShowsInTheAddressLine) {
  const Event event = report_in({
      "========= Invalid __global__ write of size 4 bytes",
      "=========     at unaligned_kernel()+0x160 in memcheck_demo.cu:34",
      "=========     by thread (0,0,0) in block (0,0,0)",
      "=========     Address 0x7f6510c00001 is misaligned",
      "=========     and is inside the nearest allocation at 0x7f6510c00000 of size 4 bytes",
  });
  EXPECT_EQ(event.fields.get("kind"), "misaligned");
  EXPECT_EQ(event.fields.get("address"), "0x7f6510c00001");
}

TEST(Sanitizer, LostIndentationDoesNotMatter) {
  const Event event = report_in({
      "========= Invalid __global__ write of size 4 bytes",
      "========= at unaligned_kernel()+0x160 in memcheck_demo.cu:34",
      "========= by thread (0,0,0) in block (2,0,0)",
      "========= Address 0x7f6510c00001 is misaligned",
  });
  EXPECT_EQ(event.fields.get("kind"), "misaligned");
  EXPECT_EQ(event.fields.get("location"), "memcheck_demo.cu:34");
  EXPECT_EQ(event.fields.get("block"), "(2,0,0)");
}

TEST(Sanitizer, HardwareExceptions) {
  EXPECT_EQ(report_in({"========= Warp Illegal Address", "=========     at kernel(int *)+0x90"}).fields.get("kind"),
            "oob");
  EXPECT_EQ(report_in({"========= Out-of-range Shared or Local Address"}).fields.get("kind"), "oob");
  EXPECT_EQ(report_in({"========= Misaligned shared or local address"}).fields.get("kind"), "misaligned");
  EXPECT_EQ(report_in({"========= Warp Misaligned Address"}).fields.get("kind"), "misaligned");
  EXPECT_EQ(report_in({"========= Device Hardware Stack Overflow"}).fields.get("kind"), "other");
  EXPECT_EQ(report_in({"========= Malloc/Free Error encountered : Double free"}).fields.get("kind"), "heap");
}

TEST(Sanitizer, ApiErrorNamesCallCodeAndEnumerator) {
  const Event event = report_in({
      "========= Program hit CUDA_ERROR_INVALID_VALUE (error 1) due to \"invalid argument\" on CUDA API call to "
      "cuPointerGetAttribute.",
      "=========     Saved host backtrace up to driver entry point at error",
      "=========     Host Frame:/usr/lib64/libcuda.so.1 (cuPointerGetAttribute + 0x174) [0x13d374]",
  });
  EXPECT_EQ(event.fields.get("kind"), "api");
  EXPECT_EQ(event.fields.get("api"), "cuPointerGetAttribute");
  EXPECT_EQ(event.fields.get("name"), "CUDA_ERROR_INVALID_VALUE");
  EXPECT_EQ(event.fields.get("code"), "1");
  EXPECT_EQ(event.fields.get("text"), "invalid argument");
  const Event old = report_in({"========= Program hit error 17 on CUDA API call to cudaFree"});
  EXPECT_EQ(old.fields.get("code"), "17");
  EXPECT_EQ(old.fields.get("api"), "cudaFree");
}

TEST(Sanitizer, RaceNamesTheFirstAccess) {
  const Event event = report_in({
      "========= Error: Race reported between Write access at strata::delta_decoder::unpack_pass(unsigned int, const "
      "tile<(unsigned int)32, block> &)+0xd790 in delta_decoder.cuh:324",
      "=========     and Read access at strata::delta_decoder::unpack_pass(unsigned int, const tile<(unsigned int)32, "
      "block> "
      "&)+0xd5c0 in delta_decoder.cuh:312 [16 hazards]",
      "=========",
  });
  EXPECT_EQ(event.fields.get("kind"), "race");
  EXPECT_EQ(event.fields.get("tool"), "racecheck");
  EXPECT_EQ(event.fields.get("location"), "delta_decoder.cuh:324");
  EXPECT_EQ(event.fields.get("kernel"), "strata::delta_decoder::unpack_pass");
  EXPECT_EQ(event.fields.get("access"), "Write");
}

TEST(Sanitizer, RacesOfTheOldTool) {
  const Event hazard = report_in({
      "========= ERROR: Potential WAW hazard detected at __shared__ 0x0 in block (0, 0, 0) :",
      "=========     Write Thread (1, 0, 0) at 0x000000b0 in raceWAW.cu:8:wawHazardKernel(int*)",
      "=========     Write Thread (2, 0, 0) at 0x000000b0 in raceWAW.cu:9:wawHazardKernel(int*)",
      "=========     Current Value : 0, Incoming Value : 2",
  });
  EXPECT_EQ(hazard.fields.get("kind"), "race");
  EXPECT_EQ(hazard.fields.get("access"), "WAW");
  EXPECT_EQ(hazard.fields.get("space"), "shared");
  EXPECT_EQ(hazard.fields.get("block"), "(0, 0, 0)");
  EXPECT_EQ(hazard.fields.get("thread"), "(1, 0, 0)");
  EXPECT_EQ(hazard.fields.get("location"), "raceWAW.cu:8");
  EXPECT_EQ(hazard.fields.get("kernel"), "wawHazardKernel");
  const Event analysis =
      report_in({"========= WARN:(Warp Level Programming) Race reported between Read access at 0x00000b10 in "
                 "racecheck.cu:85:f(int*)"});
  EXPECT_EQ(analysis.fields.get("location"), "racecheck.cu:85");
}

TEST(Sanitizer, InitcheckSynccheckAndLeaks) {
  const Event uninitialized =
      report_in({"========= Uninitialized __global__ memory read of size 4 bytes",
                 "=========     at reduce(float *)+0x70 in reduce.cu:21",
                 "=========     by thread (65,0,0) in block (10,0,0)", "=========     Address 0x7f0000000104"});
  EXPECT_EQ(uninitialized.fields.get("kind"), "uninitialized");
  EXPECT_EQ(uninitialized.fields.get("location"), "reduce.cu:21");
  const Event sync = report_in({"========= Barrier error detected. Divergent thread(s) in warp",
                                "=========     at divergence(int *)+0x1f0 in sync.cu:18",
                                "=========     by thread (32,0,0) in block (0,0,0)"});
  EXPECT_EQ(sync.fields.get("kind"), "sync");
  EXPECT_EQ(sync.fields.get("tool"), "synccheck");
  EXPECT_EQ(sync.fields.get("error"), "Barrier error detected. Divergent thread(s) in warp");
  EXPECT_EQ(sync.fields.get("thread"), "(32,0,0)");
  const Event leak = report_in({"========= Leaked 64 bytes at 0x7f0000000000"});
  EXPECT_EQ(leak.fields.get("kind"), "leak");
  EXPECT_EQ(leak.fields.get("size"), "64");
  EXPECT_EQ(leak.fields.get("size_bytes"), "64");
  EXPECT_EQ(report_in({"========= Leaked 1,024 bytes at 0x7f0000000000"}).fields.get("size_bytes"), "1024");
  EXPECT_EQ(leak.fields.get("address"), "0x7f0000000000");
}

TEST(Sanitizer, HostAccessTakesKindAndCallFromItsDetail) {
  const Event uninitialized = report_in({
      "========= Host API memory access error at host access to 0x7f7fcdc01200 of size 400 bytes",
      "=========     Uninitialized access at 0x7f7fcdc01300 on access by cudaMemcpy source",
      "=========     Host Frame:cudaMemcpy [0x68b55]",
      "=========",
  });
  EXPECT_EQ(uninitialized.fields.get("kind"), "uninitialized");
  EXPECT_EQ(uninitialized.fields.get("tool"), "initcheck");
  EXPECT_EQ(uninitialized.fields.get("api"), "cudaMemcpy");
  EXPECT_EQ(uninitialized.fields.get("size"), "400");
  const Event invalid = report_in({
      "========= Host API memory access error at host access to 0x7f14c9e00200 of size 16 bytes",
      "=========     Invalid access at 0x7f14c9e00210 on access by cudaMemcpyAsync destination",
      "=========",
  });
  EXPECT_EQ(invalid.fields.get("kind"), "oob");
  EXPECT_EQ(invalid.fields.get("api"), "cudaMemcpyAsync");
}

TEST(Sanitizer, AddressStandsAloneInAnUninitializedRead) {
  const Event read = report_in({
      "========= Uninitialized __global__ memory read of size 8 bytes",
      "=========     at ThreadLoad(const unsigned long long *)+0x8a70 in /src/thread_load.cuh:260",
      "=========     by thread (16,0,0) in block (80,0,0)",
      "=========     Address 0x7f615d40daf0",
      "=========",
  });
  EXPECT_EQ(read.fields.get("address"), "0x7f615d40daf0");
}

TEST(Sanitizer, HardwareExceptionsOfTheNewToolAreSentences) {
  EXPECT_EQ(report_in({"========= Warp illegal address"}).fields.get("kind"), "oob");
  EXPECT_EQ(report_in({"========= Out-of-range shared or local address"}).fields.get("kind"), "oob");
  EXPECT_EQ(report_in({"========= Misaligned shared or local address"}).fields.get("kind"), "misaligned");
  EXPECT_EQ(report_in({"========= Lane misaligned address"}).fields.get("kind"), "misaligned");
  EXPECT_EQ(report_in({"========= Hardware warp stack overflow"}).fields.get("kind"), "other");
  EXPECT_EQ(report_in({"========= Warp hit assert()"}).fields.get("kind"), "other");
  EXPECT_EQ(report_in({"========= Invalid write operation (permission denied)"}).fields.get("access"), "write");
  EXPECT_EQ(report_in({"========= Internal Sanitizer Error: out of memory"}).fields.get("kind"), "internal");
}

TEST(Sanitizer, MemoryThatMayNotBeThereYetIsARace) {
  const Event cluster = report_in({
      "========= Potential invalid __shared__ read of size 4 bytes",
      "=========     at RemoteAccess(int *, int)+0x170 in RaceCluster.cu:10",
      "=========     Address 0x1000400 is located in a block that might not have entered yet",
  });
  EXPECT_EQ(cluster.fields.get("kind"), "race");
  EXPECT_EQ(cluster.fields.get("address"), "0x1000400");
  const Event stream = report_in({"========= Invalid __global__ read of size 4 bytes",
                                  "=========     Address 0x302000000 is potentially accessed before it is allocated"});
  EXPECT_EQ(stream.fields.get("kind"), "race");
}

TEST(Sanitizer, UnusedMemoryHasATitleWithTwoBlanks) {
  const Event event =
      report_in({"=========  Unused __global__ memory in allocation 0x7fed9f400000 called grid of size 100 bytes",
                 "=========     Not written 80 bytes at offset 0x14 (0x7fed9f400014)"});
  EXPECT_EQ(event.fields.get("kind"), "unused");
  EXPECT_EQ(event.fields.get("address"), "0x7fed9f400000");
  EXPECT_EQ(event.fields.get("name"), "grid");
  EXPECT_EQ(event.fields.get("size"), "100");
  EXPECT_EQ(report_in({"========= Unused memory in allocation 0x1303d80000 of size 16 bytes"}).fields.get("size"),
            "16");
}

TEST(Sanitizer, LeaksOfNamedMemoryAndOfHandles) {
  EXPECT_EQ(report_in({"========= Leaked 1 bytes at 0x7f26c3000000 called My allocation"}).fields.get("name"),
            "My allocation");
  const Event optix = report_in({"========= Leaked an OptixProgramGroup with handle 0x55dbffbd9840"});
  EXPECT_EQ(optix.fields.get("kind"), "leak");
  EXPECT_EQ(optix.fields.get("address"), "0x55dbffbd9840");
}

TEST(Sanitizer, DeadlocksAndWarpgroupsAreBarrierErrors) {
  const Event deadlock =
      report_in({"========= Deadlock detected in Cuda::barrier wait called by threads starting at (0,0,0) in block "
                 "(1,0,0), (active "
                 "mask: 0xffffffff), barrier address: 0x0 at kernel+0x1190 in app.cu:98"});
  EXPECT_EQ(deadlock.fields.get("kind"), "sync");
  EXPECT_EQ(deadlock.fields.get("block"), "(1,0,0)");
  EXPECT_EQ(deadlock.fields.get("location"), "app.cu:98");
  EXPECT_EQ(report_in({"========= Warpgroup MMA sequence error detected. Incomplete warpgroup"}).fields.get("kind"),
            "sync");
}

TEST(Sanitizer, ApiErrorsInTheWordsOfTheFirstVersions) {
  const Event event =
      report_in({"========= Program hit invalid copy direction for memcpy (error 21) on CUDA API call to cudaMemcpy."});
  EXPECT_EQ(event.fields.get("code"), "21");
  EXPECT_EQ(event.fields.get("api"), "cudaMemcpy");
  EXPECT_EQ(event.fields.get("text"), "invalid copy direction for memcpy");
}

TEST(Sanitizer, EachReportIsAnEvent) {
  const Parsed parsed =
      parse_records(kSanitizerParser, {
                                          "========= COMPUTE-SANITIZER",
                                          "========= Invalid __global__ read of size 4 bytes",
                                          "=========     by thread (31,0,0) in block (0,0,0)",
                                          "=========",
                                          "========= Invalid __global__ read of size 4 bytes",
                                          "=========     by thread (30,0,0) in block (0,0,0)",
                                          "========= Program hit cudaErrorLaunchFailure (error 719) due to "
                                          "\"unspecified launch failure\" on CUDA API call to cudaMemcpy.",
                                          "step 12 loss 0.4",
                                          "========= ERROR SUMMARY: 3 errors",
                                      });
  ASSERT_EQ(parsed.events.size(), 3u);
  EXPECT_EQ(parsed.events[0].fields.get("thread"), "(31,0,0)");
  EXPECT_EQ(parsed.events[1].fields.get("thread"), "(30,0,0)");
  EXPECT_EQ(parsed.events[1].where.line, 5u);
  EXPECT_EQ(parsed.events[2].fields.get("api"), "cudaMemcpy");
}

TEST(Sanitizer, ShellLabelsInFrontDoNotMatter) {
  const Event event = report_in({"12: ========= Invalid __shared__ write of size 8 bytes",
                                 "12: =========     at tile(double *)+0x90 in tile.cu:5", "12: ========="});
  EXPECT_EQ(event.fields.get("space"), "shared");
  EXPECT_EQ(event.fields.get("location"), "tile.cu:5");
}

TEST(Sanitizer, OtherRulesAndHostileLinesOpenNoReport) {
  const Parsed parsed =
      parse_records(kSanitizerParser, {
                                          "[==========] Running 13 tests from 1 test suite.",
                                          "========================= Invalid __global__ read of size 4",
                                          "========= Target application returned an error",
                                          "Invalid __global__ read of size 4",
                                          "========= Program hit ",
                                          "========= Malloc/Free Warning encountered : Device-side malloc failed",
                                          "========= INFO:(Identical data being written) Potential WAW hazard detected "
                                          "at __shared__ 0x0 in block (0,0,0)",
                                          "=========",
                                          "========= ",
                                      });
  EXPECT_TRUE(parsed.events.empty());
}

TEST(SanitizerSummary, CountsOfAllTools) {
  EXPECT_EQ(only_event(kSanitizerSummaryParser, "========= ERROR SUMMARY: 3 errors").fields.get("errors"), "3");
  EXPECT_EQ(only_event(kSanitizerSummaryParser, "========= ERROR SUMMARY: 1 error").fields.get("errors"), "1");
  EXPECT_EQ(only_event(kSanitizerSummaryParser, "1: ========= ERROR SUMMARY: 0 errors").fields.get("errors"), "0");
  const Event race =
      only_event(kSanitizerSummaryParser, "========= RACECHECK SUMMARY: 3 hazards displayed (2 errors, 1 warning)");
  EXPECT_EQ(race.fields.get("tool"), "racecheck");
  EXPECT_EQ(race.fields.get("hazards"), "3");
  EXPECT_EQ(race.fields.get("errors"), "2");
  EXPECT_EQ(race.fields.get("warnings"), "1");
  const Event leak = only_event(kSanitizerSummaryParser, "========= LEAK SUMMARY: 1,024 bytes leaked in 2 allocations");
  EXPECT_EQ(leak.fields.get("leaked"), "1024");
  EXPECT_EQ(leak.fields.get("leaked_bytes"), "1024");
  EXPECT_EQ(leak.fields.get("leaks"), "2");
}

TEST(SanitizerSummary, ValgrindAndPrintLimitsAreNone) {
  for (const char* line :
       {"==4242== ERROR SUMMARY: 3 errors from 2 contexts (suppressed: 0 from 0)", "==4242== LEAK SUMMARY:",
        "========= ERROR SUMMARY: 3996 errors were not printed. Use --print-limit option to adjust the number of "
        "printed errors",
        "========= ERROR SUMMARY: "})
    EXPECT_TRUE(parse_line(kSanitizerSummaryParser, line).events.empty()) << line;
}

}  // namespace
}  // namespace cutopsy
