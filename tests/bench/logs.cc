// Makes logs for the benchmarks, the same bytes at every run.
//
//   bench_logs clean MEGABYTES        an ordinary training log: metrics, progress, NCCL INFO, warnings
//   bench_logs near MEGABYTES         healthy, with words that look like faults on every line
//   bench_logs dense MEGABYTES        device asserts on every line
//   bench_logs ci MEGABYTES           a CI job: timestamps, tests, builds, downloads, colours
//   bench_logs kernel MEGABYTES       the kernel log of a healthy machine
//   bench_logs candidates MEGABYTES   a different fault on every line
//
// and logs that ask for memory, in which the same 10,000 clean lines come again and again:
//
//   bench_logs unfinished MEGABYTES   after a traceback that never ends
//   bench_logs errors MEGABYTES       every 100th line is an error that was never printed before
//   bench_logs mixed MEGABYTES        every 10th line is such an error, of many kinds
//   bench_logs writers MEGABYTES      every 10th line is of a traceback of another process, two at a time
//   bench_logs openers MEGABYTES      every 10th line begins a traceback of another rank
//   bench_logs facts MEGABYTES        every 10th line tells another version of the driver
//   bench_logs long MEGABYTES         lines of 1 GB
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/bench/generated_log.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: bench_logs KIND MEGABYTES\n");
    return 2;
  }
  cutopsy::GeneratedLog log(argv[1]);
  std::size_t left = std::strtoul(argv[2], nullptr, 10) << 20;
  while (left > 0) {
    std::string line = log.line();
    if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) return 1;
    left -= std::min(left, line.size());
  }
  return 0;
}
