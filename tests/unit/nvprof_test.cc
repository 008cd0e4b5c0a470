#include "parsers/nvprof.h"

#include <gtest/gtest.h>

#include "tests/unit/parse_probe.h"

namespace cutopsy {
namespace {

Event profile_in(const std::vector<std::string>& lines) {
  Parsed parsed = parse_records(kNvprofParser, lines);
  EXPECT_EQ(parsed.events.size(), 1u) << lines[0];
  return parsed.events.empty() ? Event{} : parsed.events[0];
}

TEST(Nvprof, SummaryModeSharesTimeBetweenCopiesAndKernels) {
  const Event event = profile_in({
      "==4242== Profiling result:",
      "            Type  Time(%)      Time     Calls       Avg       Min       Max  Name",
      " GPU activities:   60.00%  600.00ms       100  6.0000ms  5.9000ms  6.1000ms  [CUDA memcpy HtoD]",
      "                   20.00%  200.00ms       100  2.0000ms  1.9000ms  2.1000ms  [CUDA memcpy DtoH]",
      "                   15.00%  150.00ms       300  500.00us  400.00us  600.00us  saxpy(int, float, float*, float*)",
      "                    5.00%  50.000ms        10  5.0000ms  5.0000ms  5.0000ms  [CUDA memset]",
      "      API calls:   70.00%  900.00ms       200  4.5000ms  5.0000us  9.0000ms  cudaMemcpy",
      "                   30.00%  400.00ms       300  1.3000ms  5.0000us  9.0000ms  cudaLaunchKernel",
      "done",
  });
  EXPECT_EQ(event.kind, "nvprof.summary");
  EXPECT_EQ(event.begin.line, 1u);
  EXPECT_EQ(event.where.line, 3u) << "the row with the most time is the evidence";
  EXPECT_EQ(event.fields.get("tool"), "nvprof");
  EXPECT_EQ(event.fields.get("copies"), "200");
  EXPECT_EQ(event.fields.get("kernels"), "300");
  EXPECT_EQ(event.fields.get("copy_share"), "0.80");
  EXPECT_EQ(event.fields.get("mean_kernel_us"), "500.00");
  EXPECT_EQ(event.fields.get("top_kernel"), "saxpy(int, float, float*, float*)");
  EXPECT_EQ(event.fields.get("launch_bound_share"), "0.00");
  EXPECT_FALSE(event.fields.has("pageable_share"));
}

TEST(Nvprof, OldSummariesHaveNoTypeColumn) {
  const Event event = profile_in({
      "==4242== Profiling result:",
      "Time(%)      Time     Calls       Avg       Min       Max  Name",
      " 90.00%  9.0000ms        10  900.00us  900.00us  900.00us  [CUDA memcpy DtoH]",
      " 10.00%  1.0000ms      1000  1.0000us  900.00ns  1.1000us  tick(int*)",
      "",
      "==4242== API calls:",
      "Time(%)      Time     Calls       Avg       Min       Max  Name",
      " 99.00%  1.0000s      1000  1.0000ms  900.00ns  1.1000us  cudaLaunch",
  });
  EXPECT_EQ(event.fields.get("copy_share"), "0.90");
  EXPECT_EQ(event.fields.get("kernels"), "1000");
  EXPECT_EQ(event.fields.get("launch_bound_share"), "1.00");
  EXPECT_EQ(event.fields.get("mean_kernel_us"), "1.00");
}

TEST(Nvprof, TraceModeTellsMemoryKinds) {
  const Event event = profile_in({
      "==3756== Profiling result:",
      "   Start  Duration            Grid Size      Block Size     Regs*    SSMem*    DSMem*      Size  Throughput  "
      "SrcMemType  DstMemType           Device   Context    Stream  Name",
      "366.70ms  953.00us                    -               -         -         -         -  6.2207MB  6.3745GB/s    "
      "Pageable      Device  GeForce GTX 108         1         7  [CUDA memcpy HtoD]",
      "367.69ms  47.000us           (8100 1 1)       (256 1 1)        16        0B        0B         -           -     "
      "      -           -  GeForce GTX 108         1         7  cupy_u8_to_f32_norm [121]",
      "367.74ms  2.0000ms                    -               -         -         -         -  24.883MB  11.5267GB/s    "
      "  Device      Pinned  GeForce GTX 108         1         7  [CUDA memcpy DtoH]",
      "",
      "Regs: Number of registers used per CUDA thread. This number includes registers used internally by the CUDA "
      "driver and/or tools and can be more than what the compiler shows.",
  });
  EXPECT_EQ(event.fields.get("src_mem_type"), "Pageable");
  EXPECT_EQ(event.fields.get("pageable_share"), "0.50");
  EXPECT_EQ(event.fields.get("copies"), "2");
  EXPECT_EQ(event.fields.get("kernels"), "1");
  EXPECT_EQ(event.fields.get("copy_share"), "0.98");
  EXPECT_EQ(event.fields.get("top_kernel"), "cupy_u8_to_f32_norm [121]");
  EXPECT_FALSE(event.fields.has("launch_bound_share"));
}

TEST(Nvprof, NsysTablesMakeOneProfile) {
  const Event event = profile_in({
      " ** CUDA API Summary (cuda_api_sum):",
      "",
      " Time (%)  Total Time (ns)  Num Calls   Avg (ns)   Med (ns)  Min (ns)  Max (ns)  StdDev (ns)          Name",
      " --------  ---------------  ---------  ---------  --------  --------  --------  -----------  ----------------",
      "     80.0      900,000,000    120,000    7,500.0    7,000.0     3,000   900,000      1,000.0  cudaLaunchKernel",
      "",
      "Processing [report1.sqlite] with [/opt/nvidia/nsight-systems/reports/cuda_gpu_kern_sum.py]...",
      "",
      " ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):",
      "",
      " Time (%)  Total Time (ns)  Instances  Avg (ns)  Med (ns)  Min (ns)  Max (ns)  StdDev (ns)  Name",
      " --------  ---------------  ---------  --------  --------  --------  --------  -----------  ----",
      "     75.0      180,000,000    100,000   1,800.0   1,792.0     1,600     4,000        100.0  "
      "vectorized_elementwise_kernel<4, AddFunctor>",
      "     25.0      120,000,000     20,000   6,000.0   6,000.0     5,900     6,100        100.0  gemm",
      "",
      " ** CUDA GPU MemOps Summary (by Time) (cuda_gpu_mem_time_sum):",
      "",
      " Time (%)  Total Time (ns)  Count  Avg (ns)  Med (ns)  Min (ns)  Max (ns)  StdDev (ns)           Operation",
      " --------  ---------------  -----  --------  --------  --------  --------  -----------  "
      "----------------------------",
      "    100.0      100,000,000    500  200000.0  200000.0    199000    201000        100.0  [CUDA memcpy "
      "Host-to-Device]",
      "",
      " ** CUDA GPU MemOps Summary (by Size) (cuda_gpu_mem_size_sum):",
      "",
      " Total (MB)  Count  Avg (MB)  Med (MB)  Min (MB)  Max (MB)  StdDev (MB)           Operation",
      "  1,000.000    500     2.000     2.000     2.000     2.000        0.000  [CUDA memcpy Host-to-Device]",
  });
  EXPECT_EQ(event.fields.get("tool"), "nsys");
  EXPECT_EQ(event.fields.get("kernels"), "120000");
  EXPECT_EQ(event.fields.get("copies"), "500");
  EXPECT_EQ(event.fields.get("copy_share"), "0.25");
  EXPECT_EQ(event.fields.get("launch_bound_share"), "0.83");
  EXPECT_EQ(event.fields.get("mean_kernel_us"), "2.50");
  EXPECT_EQ(event.fields.get("top_kernel"), "vectorized_elementwise_kernel<4, AddFunctor>");
}

TEST(Nvprof, NsysOfOtherYears) {
  const Event titles_2020 = profile_in({
      "CUDA Kernel Statistics:",
      "",
      "Time(%)  Total Time (ns)  Instances  Average  Minimum  Maximum  Name",
      "-------  ---------------  ---------  -------  -------  -------  ----",
      "  100.0          2000000          2  1000000   900000  1100000  stencil",
      "",
      "CUDA Memory Operation Statistics (by time):",
      "",
      "Time(%)  Total Time (ns)  Operations  Average  Minimum  Maximum  Operation",
      "  100.0          6000000           6  1000000   900000  1100000  [CUDA memcpy HtoD]",
  });
  EXPECT_EQ(titles_2020.fields.get("copy_share"), "0.75");
  const Event executing = profile_in({
      "[6/8] Executing 'gpukernsum' stats report",
      "",
      " Time (%)  Total Time (us)  Instances  Avg (us)  Name",
      "    100.0            500.0         10      50.0  stencil",
      "",
      "[7/8] Executing 'gpumemtimesum' stats report",
      "SKIPPED: report1.sqlite does not contain GPU memory data.",
  });
  EXPECT_EQ(executing.fields.get("mean_kernel_us"), "50.00");
  EXPECT_EQ(executing.fields.get("copy_share"), "0.00");
}

TEST(Nvprof, LayoutsOfOneTableGiveOneProfile) {
  const std::string title = " ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):";
  const std::vector<std::vector<std::string>> layouts = {
      {title, "", " Time (%)  Total Time (ns)  Instances  Avg (ns)  Name",
       " --------  ---------------  ---------  --------  ----",
       "    100.0          450,000        150   3,000.0  step(float *, int)"},
      {title, "", "+----------+-----------------+-----------+----------+--------------------+",
       "| Time (%) | Total Time (ns) | Instances | Avg (ns) |        Name        |",
       "+----------+-----------------+-----------+----------+--------------------+",
       "|    100.0 |          450000 |       150 |   3000.0 | step(float *, int) |",
       "+----------+-----------------+-----------+----------+--------------------+"},
      {"Time (%),Total Time (ns),Instances,Avg (ns),Name", "100.0,450000,150,3000.0,\"step(float *, int)\""},
      {title, "Time (%)\tTotal Time (ns)\tInstances\tAvg (ns)\tName", "100.0\t450000\t150\t3000.0\tstep(float *, int)"},
  };
  for (const auto& lines : layouts) {
    const Event event = profile_in(lines);
    EXPECT_EQ(event.fields.get("kernels"), "150") << lines[0];
    EXPECT_EQ(event.fields.get("mean_kernel_us"), "3.00") << lines[0];
    EXPECT_EQ(event.fields.get("launch_bound_share"), "1.00") << lines[0];
    EXPECT_EQ(event.fields.get("top_kernel"), "step(float *, int)") << lines[0];
  }
}

TEST(Nvprof, SeparatedTablesNameTheirUnitsInARow) {
  const Event summary = profile_in({
      "==7== Profiling result:",
      "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"",
      ",%,ms,,ms,ms,ms,",
      "\"GPU activities\",75.0,3.000000,2,1.5,1.4,1.6,\"[CUDA memcpy HtoD]\"",
      "\"GPU activities\",25.0,1.000000,4,0.25,0.2,0.3,\"f(int, int)\"",
      "\"API calls\",99.0,900.000000,4,1.5,1.4,1.6,\"cudaLaunchKernel\"",
  });
  EXPECT_EQ(summary.fields.get("copy_share"), "0.75");
  EXPECT_EQ(summary.fields.get("mean_kernel_us"), "250.00");
  EXPECT_EQ(summary.fields.get("kernels"), "4");
  const Event trace = profile_in({
      "======== Profiling result:",
      "\"Start\",\"Duration\",\"Grid X\",\"SrcMemType\",\"DstMemType\",\"Device\",\"Name\",\"Correlation_ID\"",
      "us,us,,,,,,",
      "0.0,1.5,,\"Device\",,\"RTX (0)\",\"[CUDA memset]\",274",
      "4.0,953.0,,\"Pageable\",\"Device\",\"RTX (0)\",\"[CUDA memcpy HtoD]\",316",
      "5.0,10.0,8,,,\"RTX (0)\",\"f(int)\",317",
      "5.0,99.0,,,,,\"cudaLaunchKernel\",317",
  });
  EXPECT_EQ(trace.fields.get("pageable_share"), "1.00");
  EXPECT_EQ(trace.fields.get("kernels"), "1");
  EXPECT_EQ(trace.fields.get("copy_share"), "0.99");
}

TEST(Nvprof, CallsOfTheHostInATraceAreNoKernels) {
  const Event event = profile_in({
      "==7== Profiling result:",
      "   Start  Duration            Grid Size      Block Size      Size  SrcMemType  DstMemType           Device  "
      "Name",
      "172.96ms  3.0090us                    -               -         -           -           -                -  "
      "cuDeviceGetPCIBusId",
      "366.70ms  953.00us                    -               -  6.2207MB      Pinned      Device  GeForce GTX 108  "
      "[CUDA memcpy HtoD]",
  });
  EXPECT_FALSE(event.fields.has("kernels"));
  EXPECT_EQ(event.fields.get("pageable_share"), "0.00");
}

TEST(Nvprof, AdviceOfNsysCountsTheCopiesThatItNames) {
  const Event event = profile_in({
      " ** CUDA Async Memcpy with Pageable Memory (cuda_memcpy_async):",
      "",
      "The following APIs use PAGEABLE memory which causes asynchronous CUDA memcpy",
      "operations to block and be executed synchronously. This leads to low GPU",
      "utilization.",
      "",
      " Duration (ns)  Start (ns)  Src Kind  Dst Kind  Bytes (MB)  PID   API Name",
      " -------------  ----------  --------  --------  ----------  ----  ---------------------",
      "     1,124,178   116739789  Device    Pageable       6.221  4242  cudaMemcpyAsync_v3020",
      "       978,112   101011102  Pageable  Device         6.221  4242  cudaMemcpyAsync_v3020",
      "",
      "Processing [r.sqlite] with [/opt/rules/cuda_memcpy_sync.py]...",
      "",
      " ** CUDA Synchronous Memcpy (cuda_memcpy_sync):",
      "",
      "There were no problems detected related to synchronous memcpy operations.",
  });
  EXPECT_EQ(event.fields.get("advised_copies"), "2");
  EXPECT_EQ(event.fields.get("src_mem_type"), "Pageable");
  EXPECT_FALSE(event.fields.has("copy_share"));
  EXPECT_TRUE(parse_records(kNvprofParser,
                            {" ** CUDA Synchronous Memcpy (cuda_memcpy_sync):", "", "There were no problems detected."})
                  .events.empty());
}

TEST(Nvprof, IdleMeansNoWorkAtAll) {
  EXPECT_EQ(profile_in({"SKIPPED: a.sqlite does not contain CUDA kernel data."}).fields.get("idle"), "true");
  const Event copies = profile_in({
      "SKIPPED: a.sqlite does not contain CUDA kernel data.",
      " ** CUDA GPU MemOps Summary (by Time) (cuda_gpu_mem_time_sum):",
      " Time (%)  Total Time (ns)  Count  Avg (ns)  Operation",
      "    100.0        2,000,000      2   1000000  [CUDA memcpy Host-to-Device]",
  });
  EXPECT_FALSE(copies.fields.has("idle"));
  EXPECT_EQ(copies.fields.get("copy_share"), "1.00");
}

TEST(Nvprof, ProfilesWithoutKernels) {
  EXPECT_EQ(profile_in({"SKIPPED: report1.sqlite does not contain CUDA kernel data."}).fields.get("kernels"), "0");
  const Event ncu = profile_in({"==WARNING== No kernels were profiled.", "$ id -u"});
  EXPECT_EQ(ncu.fields.get("kernels"), "0");
  EXPECT_EQ(ncu.fields.get("tool"), "ncu");
  EXPECT_EQ(profile_in({"==99== Profiling result:", "No kernels were profiled."}).fields.get("tool"), "nvprof");
}

TEST(Nvprof, RunsAreProfilesOfTheirOwn) {
  const std::vector<std::string> run = {
      "==1== Profiling result:", "Time(%)      Time     Calls       Avg       Min       Max  Name",
      "100.00%  1.0000ms         1  1.0000ms  1.0000ms  1.0000ms  f(int)"};
  std::vector<std::string> twice = run;
  twice.insert(twice.end(), run.begin(), run.end());
  EXPECT_EQ(parse_records(kNvprofParser, twice).events.size(), 2u);
}

TEST(Nvprof, EmptyAndHostileTablesAreNoProfiles) {
  EXPECT_TRUE(parse_records(kNvprofParser, {"==7835== Profiling result:", "No events/metrics were profiled.",
                                            "======== Error: Application returned non-zero code 12"})
                  .events.empty());
  EXPECT_TRUE(parse_records(kNvprofParser, {"==1== Profiling result:", "Time(%)      Time     Calls       Avg  Name",
                                            "100.00%  99999999999999999999999s  99999999999999999999999  1  f",
                                            "%  .  ,  x  f", "1..2  1  1  1  f"})
                  .events.empty());
}

}  // namespace
}  // namespace cutopsy
