#include "parsers/event_kinds.h"

#include <algorithm>
#include <array>

namespace cutopsy {
namespace {

using Names = const std::string_view[];

// Fields that end in _bytes or _seconds are normalised twins, gpu_pci is a canonical address; all others are text as
// printed.
constexpr Names kPythonException = {
    "python_type",  // class as printed, with its module: torch.cuda.OutOfMemoryError
    "message",      // whole message, lines joined by '\n'
    "first_line",   // the message's first line
    "assert",       // source text of the failing assert statement, when the frame shows it
    "file",         // innermost frame's file, line and function
    "line",        "function",
    "source",   // innermost frame's source text
    "package",  // package of the innermost frame's file: torch, megatron, ...; not set for a user's own program
    "frames",   // all frames, innermost last, 'file:function' joined by ' > '
    "chain",    // "cause" (raised first), "context" (raised while handling it), "original" (in a worker), or ""
    "thread",   // thread or process name when the header names one
};
constexpr Names kPythonFatal = {"message",                                 // Segmentation fault, ...
                                "thread",                                  // the current thread's id
                                "file",    "line", "function", "frames"};  // as in python.exception
constexpr Names kDeviceAssert = {"file", "line", "kernel", "block", "thread", "condition", "message", "gpu"};
constexpr Names kGpuOom = {
    "tried_to_allocate",
    "gpu",
    "capacity",
    "free",
    "allocated",
    "reserved",
    "reserved_unused",
    "cached",  // PyTorch before 1.4: as printed
    "in_use",
    "limit",          // that the program itself set: PyTorch's memory fraction, CuPy's pool
    "allocator",      // "GPU_0_bfc", "cuda_malloc", ...
    "foreign",        // memory of other processes named in the message, as printed (first one)
    "foreign_count",  // how many other processes the message names
    "tried_bytes",
    "capacity_bytes",
    "free_bytes",
    "allocated_bytes",
    "reserved_bytes",
    "reserved_unused_bytes",
    "foreign_bytes",          // capacity - own - free, or the sum that the message names
    "foreign_share",          // foreign_bytes / capacity, 0..1
    "free_share",             // free / capacity, 0..1
    "reserved_unused_share",  // reserved but unallocated / capacity, 0..1
    "fits_reserved",          // "true" when reserved-but-unallocated memory >= the size asked for
    "fits_free",              // "true" when the free memory that the message names >= the size asked for
    "host",                   // "true" for pinned host memory
    "harmless",               // "true" when the message itself says that it is no failure
    "message",
};
constexpr Names kGpuMemory = {"gpu",        "gpu_name",       "gpu_pci",    "pci",   "capacity", "free",
                              "free_bytes", "capacity_bytes", "free_share", "major", "minor",    "compute_capability"};
constexpr Names kCudaStatus = {
    "family",  // runtime, driver, cublas, cudnn, cufft, curand, cusolver, cusparse, nvrtc, nccl, nvjitlink
    "code",    // number as printed
    "name",    // enumerator: cudaErrorIllegalAddress, CUBLAS_STATUS_ALLOC_FAILED; resolved from text or number
    "text",    // description as printed
    "api",     // failing call when named
    "file",     "line", "library",
    "function",  // of the caller, where a library's check names it
    "kernel",    // that was launched
    "gpu"};      // its index
constexpr Names kCppException = {"type", "what", "raised_from", "file", "line", "frames"};
constexpr Names kNcclWarn = {"message", "file", "line", "host", "pid", "tid", "gpu", "gpu_pci"};
// Ranks, sequence numbers and operations as PyTorch's ProcessGroupNCCL counts and names them.
constexpr Names kNcclTimeout = {"rank",       "pg",           "pg_name",       "seq",
                                "op",         "tensor_shape", "numel_in",      "numel_out",
                                "timeout_ms", "ran_ms",       "last_enqueued", "last_completed"};
constexpr Names kNcclProgress = {"rank", "pg", "pg_name", "seq", "last_enqueued", "last_completed"};
constexpr Names kNcclDesync = {"rank", "op", "seq", "lagging"};  // ranks that the report blames: "3", "0-2, 5"
constexpr Names kNcclCollective = {"rank",         "pg",
                                   "pg_name",      "op",
                                   "seq",          "state",  // scheduled, started
                                   "timeout_ms",   "last_enqueued",
                                   "last_started", "last_completed",
                                   "file",         "line",
                                   "function",     "frames"};
// What only the comparison of ranks or hosts shows (engine/explain/).
constexpr Names kNcclMismatch = {"pg_name", "seq",   "op",         "what",  // operation, sequence
                                 "rank",    "found", "other_rank", "expected", "ranks"};
constexpr Names kNcclAbsent = {"pg_name", "seq", "op", "ranks"};
constexpr Names kVersionConflict = {"what", "version", "on", "other_version", "other_on"};
constexpr Names kXid = {
    "xid",               // number
    "code",              // the same number (where: { code: '^79$' })
    "pci",               // as printed: 0000:18:00
    "gpu_pci",           // canonical: 0000:18:00.0
    "gpu_instance",      // MIG
    "compute_instance",  // MIG
    "gpu_index",         // the driver's number of the GPU
    "pid",
    "process",
    "text",       // everything after the process
    "exception",  // 13: Out Of Range Address, ...; 31: fault type; 109, 110, 120: what happened; 144-150: sub-code
    "reason",     // 64, 78, 161, 177: in words
    "severity",   // 144-150: Fatal, Nonfatal
    "channel",
    "intr",
    "engmask",
    "engine",
    "client",  // 31: the part of the engine that accessed memory
    "access",  // 31: ACCESS_TYPE_VIRT_READ, ...
    "address",
    "phys_addr",
    "gpc",
    "tpc",
    "sm",
    "class",  // 13, 69: the method that the engine refused
    "offset",
    "data",
    "error",
    "registers",  // numbers that stand for themselves, as printed
    "caused_by",  // number of an earlier Xid
    "memory",     // 171: HBM, ...
    "partition",
    "subpartition",
    "fbpa",
    "unit",      // 92, 94, 95, 172: where the memory error is
    "unit_ids",  // numbers of the unit
    "reset",
    "device_reset",
    "dram",  // 140: errors of each kind
    "ltc",
    "mmu",
    "pcie",
    "link",
    "link_mask",
    "remote_pci",
    "xc",
    "injected",
    "intr_info",
    "status",
    "function",  // 119, 175: the call that the GSP did not answer
    "function_id",
    "function_name",
    "sequence",
    "args",
    "waited",  // for that answer
    "waited_seconds",
    "cause",  // 120: cause register
    "pc",
    "symbol",
    "task",
    "info",
    "old_code",  // 154
    "old_action",
    "recovery_code",
    "recovery_action",
    "bits",     // 74: set in the registers
    "finding",  // 74: what the gravest of them means
    "subcode",  // 144-150: unit, and what NVIDIA's catalogue says of its words
    "layout",
    "action",
    "investigate",
    "origin",
    "harmless",  // 74, 144-150, 154: true when the report asks for no action
};
constexpr Names kGpuLost = {"pci", "gpu_pci", "device_id", "text"};
constexpr Names kSxid = {
    "sxid",     "code",    "pci",    "gpu_pci",     "switch",    "fatal",    "severity", "text", "link",
    "first",  // of the errors that came together
    "instance", "chiplet", "module", "temperature", "threshold", "function", "line",     "fid",  "physical_id", "port"};
constexpr Names kOomKill = {"pid",      "process",     "limit",       "usage",          "constraint", "cgroup",
                            "anon_rss", "limit_bytes", "usage_bytes", "anon_rss_bytes", "host",       "rank"};
constexpr Names kRankFailure = {"rank", "local_rank", "exitcode", "signal", "host", "pid", "file"};
constexpr Names kSanitizerReport = {
    "tool",   // memcheck, racecheck, initcheck, synccheck, sanitizer (itself), cuda-gdb
    "error",  // the report's first line
    "kind",   // oob, misaligned, race, uninitialized, sync, leak, api, heap, unused, internal, other
    "kernel",   "size", "access", "space", "thread", "block",      "address",
    "location", "api",  "code",   "name",  "text",   "size_bytes",
};
constexpr Names kSanitizerSummary = {"tool", "errors", "warnings", "hazards", "leaked", "leaked_bytes", "leaks"};
constexpr Names kProfileSummary = {
    "tool",
    "copy_share",          // of the time that the GPU was busy, 0..1
    "pageable_share",      // of the traced copies, 0..1
    "launch_bound_share",  // of the launches: kernels that take less time than launching one, 0..1
    "copies",
    "advised_copies",  // copies of pageable memory that the profiler itself advises to change
    "kernels",
    "idle",  // "true" when the profiler saw no work on the GPU at all
    "src_mem_type",
    "top_kernel",
    "mean_kernel_us",
};
constexpr Names kBuildDiagnostic = {"tool",      // nvcc, ptxas, nvlink, g++, ... when the message names it
                                    "severity",  // error, fatal, fatal error, catastrophic error
                                    "file",     "line",
                                    "code",  // C2065, 20014-D
                                    "message"};
constexpr Names kLinkError = {"symbol",        // as printed: demangled where the linker does
                              "library",       // without "lib", "-l" or an extension
                              "code"};         // LNK2019
constexpr Names kConfigureError = {"message",  // paragraphs parted by '\n', their wrapping undone
                                   "file", "line", "command"};
constexpr Names kStepFailed = {"target", "tool", "exit_code",
                               "signal",  // "9" when the shell says that it was killed
                               "file"};

constexpr EventKind kKinds[] = {
    {"python.exception", "an exception printed with a traceback, or a bare 'Type: message' of a known class",
     kPythonException},
    {"python.fatal", "the Python interpreter died, with the frames of its current thread", kPythonFatal},
    {"torch.device_assert", "an assertion that failed on the GPU", kDeviceAssert},
    {"gpu.oom", "an allocation on the GPU (or of pinned host memory) failed", kGpuOom},
    {"gpu.memory", "how much memory of a GPU is free, as a framework finds it at its start", kGpuMemory},
    {"cuda.status", "a status of the CUDA runtime, driver or one of its libraries", kCudaStatus},
    {"cpp.exception", "an uncaught C++ exception, a c10 error with its frames, or a failed check of host code",
     kCppException},
    {"nccl.warn", "an NCCL WARN line", kNcclWarn},
    {"nccl.timeout", "a collective that timed out on a rank", kNcclTimeout},
    {"nccl.progress", "how far a rank came when it stopped", kNcclProgress},
    {"nccl.desync", "PyTorch's report of ranks that fell behind in a collective", kNcclDesync},
    {"nccl.collective", "the collective that a rank hangs in, as the flight recorder shows it", kNcclCollective},
    {"nccl.mismatch", "ranks that waited in different collectives, found by comparing them", kNcclMismatch},
    {"nccl.absent", "ranks that never came to the collective in which the others waited", kNcclAbsent},
    {"job.version_conflict", "hosts that report different versions of what must be the same", kVersionConflict},
    {"kernel.xid", "an Xid that the driver reported to the kernel log", kXid},
    {"kernel.gpu_lost", "the driver finds that a GPU no longer answers (without an Xid)", kGpuLost},
    {"kernel.sxid", "an NVSwitch SXid in the kernel log", kSxid},
    {"kernel.oom_kill", "the kernel killed a process for lack of host memory", kOomKill},
    {"launcher.rank_failed", "a launcher names a rank that failed", kRankFailure},
    {"sanitizer.report", "one finding of compute-sanitizer or cuda-memcheck", kSanitizerReport},
    {"sanitizer.summary", "the closing summary of a sanitizer run", kSanitizerSummary},
    {"build.diagnostic", "an error that a compiler or a stage of nvcc reports", kBuildDiagnostic},
    {"build.link_error", "a symbol or library that a linker does not find", kLinkError},
    {"build.configure_error", "an error of CMake", kConfigureError},
    {"build.step_failed", "a step of a build that failed, as the build tool tells it", kStepFailed},
    {"nvprof.summary", "what a profiler's table says of the run", kProfileSummary},
};

}  // namespace

std::span<const EventKind> event_kinds() {
  return kKinds;
}

const EventKind* find_event_kind(std::string_view name) {
  auto found = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& kind) { return kind.name == name; });
  return found == std::end(kKinds) ? nullptr : found;
}

}  // namespace cutopsy
