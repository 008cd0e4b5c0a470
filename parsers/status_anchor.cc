#include "parsers/status_anchor.h"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace cutopsy {
namespace {

constexpr auto kLead = AnchorKind::lead;
constexpr auto kHint = AnchorKind::hint;
constexpr auto kCall = AnchorKind::call;
constexpr auto kQuote = AnchorKind::quote;
constexpr auto kName = AnchorKind::name;
constexpr auto kDescription = AnchorKind::description;

constexpr Anchor kAnchors[] = {
    {"CUDA error", kLead, "runtime"},
    {"CUDA Error", kLead, "runtime"},
    {"CUDA ERROR", kLead, "runtime"},
    {"Cuda error", kLead, "runtime"},
    {"Cuda Error", kLead, "runtime"},
    {"cuda error", kLead, "runtime"},
    {"CUDA API error", kLead, "runtime"},
    {"Cuda API error", kLead, "runtime"},
    {"CUDA API failed", kLead, "runtime"},
    {"CUDA failure", kLead, "runtime"},
    {"CUDA Failure", kLead, "runtime"},
    {"Cuda failure", kLead, "runtime"},
    {"CUDA runtime error", kLead, "runtime"},
    {"CUDA Runtime error", kLead, "runtime"},
    {"CUDA Runtime Error", kLead, "runtime"},
    {"cuda runtime error", kLead, "runtime", true},
    {"THCudaCheck FAIL", kLead, "runtime", true},
    {"CUDA driver error", kLead, "driver"},
    {"CUDA Driver error", kLead, "driver"},
    {"Cuda driver error", kLead, "driver"},
    {"Driver API error", kLead, "driver"},
    {"Error [CUDA]:", kLead, "driver"},
    {"GPUassert:", kLead, "runtime"},
    {"PhysX Internal CUDA error. Simulation can not continue! Error code", kLead, "runtime"},
    {"Cuda Runtime (", kLead, "runtime"},
    {"Cuda Driver (", kLead, "driver"},
    {"Gpu API call)", kLead, "runtime", false, true},
    {"failed to initialize CUDA", kLead, "runtime"},
    {"failed call to cuInit", kLead, "driver"},
    {"CUDA initialization failure", kLead, "runtime"},
    {"cudart init failure", kLead, "runtime"},
    {"library init failure", kLead, "driver"},
    {"to get device context", kLead, "driver"},
    {"NCCL error", kLead, "nccl"},
    {"NCCL Error", kLead, "nccl"},
    {"NCCL failure", kLead, "nccl"},
    {"nccl error", kLead, "nccl"},
    {"cuBLAS error", kLead, "cublas"},
    {"cuBLAS Error", kLead, "cublas"},
    {"cublas error", kLead, "cublas"},
    {"cuBLAS API failed", kLead, "cublas"},
    {"failed to create cublas handle", kLead, "cublas"},
    {"failed to run cuBLAS routine", kLead, "cublas"},
    {"CUBLAS error", kLead, "cublas"},
    {"CUBLAS failure", kLead, "cublas"},
    {"cuDNN error", kLead, "cudnn"},
    {"cuDNN Error", kLead, "cudnn"},
    {"cudnn error", kLead, "cudnn"},
    {"CUDNN error", kLead, "cudnn"},
    {"CUDNN failure", kLead, "cudnn"},
    {"cuDNN Frontend error", kLead, "cudnn"},
    {"cusolver error", kLead, "cusolver"},
    {"cuSOLVER error", kLead, "cusolver"},
    {"CUSOLVER error", kLead, "cusolver"},
    {"cuSolverDN call failed", kLead, "cusolver"},
    {"cusparse error", kLead, "cusparse"},
    {"cuSPARSE error", kLead, "cusparse"},
    {"CUSPARSE error", kLead, "cusparse"},
    {"CUSPARSE API failed", kLead, "cusparse"},
    {"cuFFT error", kLead, "cufft"},
    {"cufft error", kLead, "cufft"},
    {"CUFFT error", kLead, "cufft"},
    {"CUFFT failure", kLead, "cufft"},
    {"cuRAND error", kLead, "curand"},
    {"curand error", kLead, "curand"},
    {"CURAND error", kLead, "curand"},
    {"CURAND failure", kLead, "curand"},
    {"NVRTC error", kLead, "nvrtc"},
    {"NVRTC Error", kLead, "nvrtc"},
    {"nvrtc error", kLead, "nvrtc"},
    {"nvrtc: error", kLead, "nvrtc"},

    {"cuda execution failed", kHint, "runtime"},
    {"CUDA initialization:", kHint, "runtime"},
    {"from cudaGetDeviceCount", kHint, "runtime"},
    {"cudaError_t", kHint, "runtime"},
    {"== cudaSuccess", kHint, "runtime"},
    {"implicit initialization on GPU", kHint, "runtime"},
    {"Kernel launch failed", kHint, "runtime"},
    {"kernel launch failed", kHint, "runtime"},
    {"addKernel launch failed", kHint, "runtime"},
    {"== CUDA_SUCCESS", kHint, "driver"},
    {"== CUBLAS_STATUS_SUCCESS", kHint, "cublas"},
    {"== CUDNN_STATUS_SUCCESS", kHint, "cudnn"},

    {"(error code ", kQuote, "runtime"},
    {"GpuBuffer::Allocate failed ", kQuote, "runtime"},
    {"bytes requested; status = 2(", kQuote, "runtime"},
    {"CUDA failed with error ", kQuote, "runtime"},

    {"call to cu", kCall, "driver", false, true},
    {"Call to cu", kCall, "driver", false, true},
    {"cudaMalloc", kCall, "runtime"},
    {"cudaMemcpy", kCall, "runtime"},
    {"cudaMemset", kCall, "runtime"},
    {"cudaMemGetInfo", kCall, "runtime"},
    {"cudaFree", kCall, "runtime"},
    {"cudaHost", kCall, "runtime"},
    {"cudaDevice", kCall, "runtime"},
    {"cudaGetDevice", kCall, "runtime"},
    {"cudaSetDevice", kCall, "runtime"},
    {"cudaStream", kCall, "runtime"},
    {"cudaEvent", kCall, "runtime"},
    {"cudaLaunch", kCall, "runtime"},
    {"cudaFunc", kCall, "runtime"},
    {"cudaGetLastError", kCall, "runtime"},
    {"cuInit", kCall, "driver"},
    {"cuCtx", kCall, "driver"},
    {"cuMem", kCall, "driver"},
    {"cuModule", kCall, "driver"},
    {"cuLaunch", kCall, "driver"},
    {"cuStream", kCall, "driver"},
    {"cuDevice", kCall, "driver"},
    {"cuIpcOpenMemHandle", kCall, "driver"},
    {"cudaSafeCall", kCall, "runtime"},
    {"cudaCheckError", kCall, "runtime"},
    {"operation gpu", kCall, "runtime"},
    {"cublasCreate", kCall, "cublas"},
    {"cublasS", kCall, "cublas"},
    {"cublasG", kCall, "cublas"},
    {"cufftExec", kCall, "cufft"},
    {"cufftPlan", kCall, "cufft"},
    {"curandCreate", kCall, "curand"},
    {"curandGenerate", kCall, "curand"},
    {"cusolverDn", kCall, "cusolver"},
    {"cusparseCreate", kCall, "cusparse"},
    {"cusparseS", kCall, "cusparse"},
    {"cudnnCreate", kCall, "cudnn"},
    {"cudnnConv", kCall, "cudnn"},

    {"cudaError", kName, "runtime"},
    {"CUDA_ERROR_", kName, "driver"},
    {"CUBLAS_STATUS_", kName, "cublas"},
    {"CUDNN_STATUS_", kName, "cudnn"},
    {"CUSOLVER_STATUS_", kName, "cusolver"},
    {"CUSPARSE_STATUS_", kName, "cusparse"},
    {"CURAND_STATUS_", kName, "curand"},
    {"CUFFT_", kName, "cufft"},
    {"NVRTC_ERROR_", kName, "nvrtc"},
    {"NVJITLINK_ERROR_", kName, "nvjitlink"},
    {"ncclUnhandledCudaError", kName, "nccl"},
    {"ncclSystemError", kName, "nccl"},
    {"ncclInternalError", kName, "nccl"},
    {"ncclInvalidArgument", kName, "nccl"},
    {"ncclInvalidUsage", kName, "nccl"},
    {"ncclRemoteError", kName, "nccl"},
    {"ncclInProgress", kName, "nccl"},

    {"an illegal memory access", kDescription, "runtime"},
    {"an illegal instruction", kDescription, "runtime"},
    {"unspecified launch fail", kDescription, "runtime"},
    {"device-side assert trig", kDescription, "runtime"},
    {"misaligned address", kDescription, "runtime"},
    {"hardware stack error", kDescription, "runtime"},
    {"invalid program counter", kDescription, "runtime"},
    {"operation not supported on global/shared", kDescription, "runtime"},
    {"the launch timed out and", kDescription, "runtime"},
    {"too many resources requ", kDescription, "runtime"},
    {"too many blocks in coop", kDescription, "runtime"},
    {"invalid configuration a", kDescription, "runtime"},
    {"invalid resource handle", kDescription, "runtime"},
    {"no kernel image is avail", kDescription, "runtime"},
    {"device kernel image is", kDescription, "runtime"},
    {"invalid device function", kDescription, "runtime"},
    {"named symbol not found", kDescription, "runtime"},
    {"the provided PTX was", kDescription, "runtime"},
    {"a PTX JIT compilation", kDescription, "runtime"},
    {"PTX JIT compiler lib", kDescription, "runtime"},
    {"CUDA driver version is insufficient", kDescription, "runtime"},
    {"CUDA driver is a stub", kDescription, "runtime"},
    {"driver shutting down", kDescription, "runtime"},
    {"no CUDA-capable device", kDescription, "runtime"},
    {"all CUDA-capable devices", kDescription, "runtime"},
    {"CUDA-capable device(s)", kDescription, "runtime"},
    {"invalid device ordinal", kDescription, "runtime"},
    {"exclusive-thread device", kDescription, "runtime"},
    {"uncorrectable ECC error", kDescription, "runtime"},
    {"uncorrectable NVLink", kDescription, "runtime"},
    {"peer access is", kDescription, "runtime"},
    {"peer access has not", kDescription, "runtime"},
    {"peer mapping resources", kDescription, "runtime"},
    {"system not yet init", kDescription, "runtime"},
    {"system has unsupported display driver /", kDescription, "runtime"},
    {"forward compatibility was attempted", kDescription, "runtime"},
    {"MPS client failed", kDescription, "runtime"},
    {"MPS server is not ready", kDescription, "runtime"},
    {"operation not permitted when stream is capturing", kDescription, "runtime"},
    {"operation failed due to a previous error", kDescription, "runtime"},
    {"Illegal address in", kDescription, "driver"},
    {"Launch exceeded timeout in", kDescription, "driver"},
    {"Launch failed in", kDescription, "driver"},
    {"unhandled cuda error", kDescription, "nccl"},
    {"unhandled system error", kDescription, "nccl"},
    {"remote process exited or", kDescription, "nccl"},
};

// Short pieces of the anchors that are rare in ordinary logs.
constexpr std::string_view kTriggers[] = {
    "CUDA err", "CUDA Err", "CUDA ERR", "Cuda err", "Cuda Err", "cuda err", "API erro", "CUDA fai", "CUDA Fai",
    "Cuda fai", "time err", "time Err", "iver err", "THCudaCh", "[CUDA]:",  "GPUasser", "Cuda Run", "Cuda Dri",
    "Gpu API ", "ize CUDA", "CUDA ini", "NCCL err", "NCCL Err", "NCCL fai", "nccl err", "cuBLAS ",  "CUBLAS ",
    "cuDNN ",   "CUDNN ",   "solver e", "SOLVER e", "sparse e", "SPARSE e", "cuFFT ",   "CUFFT",    "cuRAND ",
    "CURAND",   "NVRTC",    "nvrtc er", "nvrtc: e", "cudaErro", "cudaSucc", "CUDA_SUC", "CUDA_ERR", "CUBLAS_S",
    "CUDNN_ST", "CUSOLVER", "CUSPARSE", "NVJITLIN", "ncclUnha", "ncclSyst", "ncclInte", "ncclInva", "ncclRemo",
    "l to cu",  "cudaM",    "cudaF",    "cudaHost", "cudaDevi", "cudaGet",  "cudaSetD", "cudaStre", "cudaEven",
    "cudaLaun", "cuInit",   "cuCtx",    "cuMem",    "cuModule", "cuLaunch", "cuStream", "cuDevice", "llegal m",
    "llegal i", "launch f", "side ass", "saligned", "ware sta", "lid prog", "global/s", "nch time", "y resour",
    "in coop",  "lid conf", "rce hand", "el image", "ice func", "ymbol no", "PTX was",  "PTX JIT",  "nsuffici",
    "is a stu", "r shutti", "CUDA-cap", "e ordina", "usive-th", "able ECC", "le NVLin", "peer acc", "peer map",
    "yet init", "driver /", "was atte", "MPS clie", "MPS serv", "s captur", "iled due", "unhandle", "exited o",
    "ddress i", "imeout i", "nch fail", " init fa", "get devi", "API fail", "cublas ",  "cublasCr", "cublasS",
    "cublasG",  "cudnn er", "cudnnCr",  "cudnnCon", "cufft er", "cufftExe", "cufftPla", "curand e", "curandCr",
    "curandGe", "SolverDN", "solverDn", "sparseCr", "sparseS",  "icit ini", "cuda exe", "GpuBuffe", "quested;",
    "cuIpcOpe", "(error c", "cudaSafe", "cudaChec", "tion gpu", "ncclInPr",
};

constexpr bool every_anchor_has_a_trigger() {
  for (const Anchor& anchor : kAnchors) {
    bool found = false;
    for (std::string_view trigger : kTriggers) found = found || anchor.literal.find(trigger) != std::string_view::npos;
    if (!found) return false;
  }
  return true;
}
static_assert(every_anchor_has_a_trigger());

// One automaton for all: it finds where the next anchor begins and ends, its text tells which one it is.
const RE2& any_anchor() {
  static const RE2 regex = [] {
    std::string pattern;
    for (const Anchor& anchor : kAnchors) {
      pattern +=
          (pattern.empty() ? "" : "|") + RE2::QuoteMeta(re2::StringPiece(anchor.literal.data(), anchor.literal.size()));
    }
    RE2::Options options;
    options.set_longest_match(true);
    options.set_encoding(RE2::Options::EncodingLatin1);
    return RE2(pattern, options);
  }();
  return regex;
}

}  // namespace

std::optional<PlacedAnchor> next_anchor(std::string_view text, std::size_t from) {
  re2::StringPiece found;
  const re2::StringPiece piece(text.data(), text.size());
  if (from >= text.size() || !any_anchor().Match(piece, from, text.size(), RE2::UNANCHORED, &found, 1)) return {};
  const std::string_view literal(found.data(), found.size());
  auto anchor =
      std::find_if(std::begin(kAnchors), std::end(kAnchors), [&](const Anchor& a) { return a.literal == literal; });
  const auto begin = static_cast<std::size_t>(found.data() - text.data());
  return PlacedAnchor{&*anchor, begin, begin + literal.size()};
}

std::span<const std::string_view> anchor_triggers() {
  return kTriggers;
}

}  // namespace cutopsy
