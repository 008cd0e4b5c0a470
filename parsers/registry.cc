#include "parsers/registry.h"

#include "parsers/build_step.h"
#include "parsers/cmake_message.h"
#include "parsers/compiler_diagnostic.h"
#include "parsers/cpp_exception.h"
#include "parsers/cuda_gdb.h"
#include "parsers/cuda_status.h"
#include "parsers/device_assert.h"
#include "parsers/device_assert_report.h"
#include "parsers/ending_facts.h"
#include "parsers/faulthandler.h"
#include "parsers/flight_recorder.h"
#include "parsers/gpu_address_facts.h"
#include "parsers/gpu_facts.h"
#include "parsers/gpu_lost.h"
#include "parsers/gpu_oom.h"
#include "parsers/host_assert.h"
#include "parsers/installed_packages.h"
#include "parsers/job_shape_facts.h"
#include "parsers/kernel_oom_kill.h"
#include "parsers/killed_build_step.h"
#include "parsers/link_error.h"
#include "parsers/multiline_oom.h"
#include "parsers/nccl_warn.h"
#include "parsers/nccl_watchdog.h"
#include "parsers/nvprof.h"
#include "parsers/python_exception.h"
#include "parsers/rank_failure.h"
#include "parsers/sacct_table.h"
#include "parsers/sanitizer.h"
#include "parsers/shell_status.h"
#include "parsers/smi_csv.h"
#include "parsers/smi_query.h"
#include "parsers/split_status.h"
#include "parsers/sxid.h"
#include "parsers/tensorflow_device.h"
#include "parsers/torch_profile.h"
#include "parsers/torchrun_failures.h"
#include "parsers/version_facts.h"
#include "parsers/xid.h"

namespace cutopsy {

// The tables are built at the first call: a parser's own table of triggers may need initialising before.

std::span<const LineParser> line_parsers() {
  static const LineParser parsers[] = {
      kDeviceAssertParser,
      kCudaStatusParser,
      kGpuOomParser,
      kNcclWarnParser,
      kXidParser,
      kGpuLostParser,
      kSxidParser,
      kOomKillParser,
      kRankFailureParser,
      kBareExceptionParser,
      kSanitizerSummaryParser,
      kVersionFactsParser,
      kGpuFactsParser,
      kJobShapeFactsParser,
      kEndingFactsParser,
      kInstalledPackagesParser,
      kHostAssertParser,
      kNcclWatchdogParser,
      kFlightRecorderParser,
      kCompilerDiagnosticParser,
      kLinkErrorParser,
      kBuildStepParser,
      kGpuAddressFactsParser,
  };
  return parsers;
}

std::span<const RecordParser> record_parsers() {
  static const RecordParser parsers[] = {
      kPythonExceptionParser, kCppExceptionParser,    kSanitizerParser,        kCudaGdbParser,
      kNvprofParser,          kFaulthandlerParser,    kTorchrunFailuresParser, kDeviceAssertReportParser,
      kMultilineOomParser,    kNcclDesyncParser,      kCollectiveStackParser,  kSmiCsvParser,
      kSmiQueryParser,        kSacctTableParser,      kShellStatusParser,      kTensorflowDeviceParser,
      kGpuLostAtProbeParser,  kTorchProfileParser,    kSplitStatusParser,      kCmakeMessageParser,
      kNinjaStepParser,       kKilledBuildStepParser,
  };
  return parsers;
}

}  // namespace cutopsy
