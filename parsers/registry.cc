#include "parsers/registry.h"

#include "parsers/cpp_exception.h"
#include "parsers/cuda_gdb.h"
#include "parsers/cuda_status.h"
#include "parsers/device_assert.h"
#include "parsers/gpu_lost.h"
#include "parsers/gpu_oom.h"
#include "parsers/job_facts.h"
#include "parsers/kernel_oom_kill.h"
#include "parsers/nccl_warn.h"
#include "parsers/nvprof.h"
#include "parsers/python_exception.h"
#include "parsers/rank_failure.h"
#include "parsers/sanitizer.h"
#include "parsers/sxid.h"
#include "parsers/xid.h"

namespace cutopsy {

// The tables are built at the first call: a parser's own table of triggers may need initialising before.

std::span<const LineParser> line_parsers() {
  static const LineParser parsers[] = {
      kDeviceAssertParser,     kCudaStatusParser, kGpuOomParser,  kNcclWarnParser,    kXidParser,
      kGpuLostParser,          kSxidParser,       kOomKillParser, kRankFailureParser, kBareExceptionParser,
      kSanitizerSummaryParser, kJobFactsParser,
  };
  return parsers;
}

std::span<const RecordParser> record_parsers() {
  static const RecordParser parsers[] = {
      kPythonExceptionParser, kCppExceptionParser, kSanitizerParser,
      kCudaGdbParser,         kNvprofParser,       kGpuLostAtProbeParser,
  };
  return parsers;
}

}  // namespace cutopsy
