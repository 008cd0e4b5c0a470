#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

#include "parsers/status_table.h"

namespace cutopsy {
namespace {

struct Legacy {
  int code;
  std::string_view name;
};

// cudaError_t up to CUDA 10.0: https://docs.nvidia.com/cuda/archive/10.0/cuda-runtime-api/group__CUDART__TYPES.html
constexpr Legacy kLegacyRuntime[] = {
    {1, "cudaErrorMissingConfiguration"},
    {4, "cudaErrorLaunchFailure"},
    {5, "cudaErrorPriorLaunchFailure"},
    {6, "cudaErrorLaunchTimeout"},
    {7, "cudaErrorLaunchOutOfResources"},
    {8, "cudaErrorInvalidDeviceFunction"},
    {10, "cudaErrorInvalidDevice"},
    {11, "cudaErrorInvalidValue"},
    {14, "cudaErrorMapBufferObjectFailed"},
    {15, "cudaErrorUnmapBufferObjectFailed"},
    {29, "cudaErrorCudartUnloading"},
    {30, "cudaErrorUnknown"},
    {33, "cudaErrorInvalidResourceHandle"},
    {34, "cudaErrorNotReady"},
    {36, "cudaErrorSetOnActiveProcess"},
    {38, "cudaErrorNoDevice"},
    {39, "cudaErrorECCUncorrectable"},
    {40, "cudaErrorSharedObjectSymbolNotFound"},
    {41, "cudaErrorSharedObjectInitFailed"},
    {42, "cudaErrorUnsupportedLimit"},
    {47, "cudaErrorInvalidKernelImage"},
    {48, "cudaErrorNoKernelImageForDevice"},
    {50, "cudaErrorPeerAccessAlreadyEnabled"},
    {51, "cudaErrorPeerAccessNotEnabled"},
    {54, "cudaErrorDeviceAlreadyInUse"},
    {55, "cudaErrorProfilerDisabled"},
    {56, "cudaErrorProfilerNotInitialized"},
    {57, "cudaErrorProfilerAlreadyStarted"},
    {58, "cudaErrorProfilerAlreadyStopped"},
    {59, "cudaErrorAssert"},
    {60, "cudaErrorTooManyPeers"},
    {61, "cudaErrorHostMemoryAlreadyRegistered"},
    {62, "cudaErrorHostMemoryNotRegistered"},
    {63, "cudaErrorOperatingSystem"},
    {64, "cudaErrorPeerAccessUnsupported"},
    {70, "cudaErrorNotPermitted"},
    {71, "cudaErrorNotSupported"},
    {72, "cudaErrorHardwareStackError"},
    {73, "cudaErrorIllegalInstruction"},
    {74, "cudaErrorMisalignedAddress"},
    {75, "cudaErrorInvalidAddressSpace"},
    {76, "cudaErrorInvalidPc"},
    {77, "cudaErrorIllegalAddress"},
    {78, "cudaErrorInvalidPtx"},
    {79, "cudaErrorInvalidGraphicsContext"},
    {80, "cudaErrorNvlinkUncorrectable"},
    {81, "cudaErrorJitCompilerNotFound"},
    {82, "cudaErrorCooperativeLaunchTooLarge"},
    {83, "cudaErrorSystemNotReady"},
    {84, "cudaErrorIllegalState"},
};

// cudnnStatus_t up to cuDNN 8: https://docs.nvidia.com/deeplearning/cudnn/archives/cudnn-897/api/index.html
constexpr Legacy kLegacyCudnn[] = {
    {1, "CUDNN_STATUS_NOT_INITIALIZED"},
    {2, "CUDNN_STATUS_ALLOC_FAILED"},
    {3, "CUDNN_STATUS_BAD_PARAM"},
    {4, "CUDNN_STATUS_INTERNAL_ERROR"},
    {5, "CUDNN_STATUS_INVALID_VALUE"},
    {6, "CUDNN_STATUS_ARCH_MISMATCH"},
    {7, "CUDNN_STATUS_MAPPING_ERROR"},
    {8, "CUDNN_STATUS_EXECUTION_FAILED"},
    {9, "CUDNN_STATUS_NOT_SUPPORTED"},
    {10, "CUDNN_STATUS_LICENSE_ERROR"},
    {11, "CUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING"},
    {12, "CUDNN_STATUS_RUNTIME_IN_PROGRESS"},
    {13, "CUDNN_STATUS_RUNTIME_FP_OVERFLOW"},
    {14, "CUDNN_STATUS_VERSION_MISMATCH"},
};

struct Wording {
  std::string_view text;
  std::string_view name;
};

// The same statuses in other words: older runtimes and NCCLs; PyTorch's and CUDA.jl's own; Blender Cycles (cuew) and
// NVHPC's OpenACC runtime. https://github.com/pytorch/pytorch/blob/main/c10/cuda/CUDAFunctions.cpp
// https://github.com/CudaWrangler/cuew/blob/master/src/cuew.c
constexpr Wording kOtherWordings[] = {
    {"all CUDA-capable devices are busy or unavailable", "cudaErrorDevicesUnavailable"},
    {"CUDA driver initialization failed", "cudaErrorInitializationError"},
    {"CUDA unknown error", "cudaErrorUnknown"},
    {"internal error", "ncclInternalError"},
    {"an absent device architectural feature is required", "CUBLAS_STATUS_ARCH_MISMATCH"},
    {"Invalid value", "CUDA_ERROR_INVALID_VALUE"},
    {"Out of memory", "CUDA_ERROR_OUT_OF_MEMORY"},
    {"Driver not initialized", "CUDA_ERROR_NOT_INITIALIZED"},
    {"Driver deinitialized", "CUDA_ERROR_DEINITIALIZED"},
    {"No CUDA-capable device available", "CUDA_ERROR_NO_DEVICE"},
    {"Invalid device", "CUDA_ERROR_INVALID_DEVICE"},
    {"Invalid kernel image", "CUDA_ERROR_INVALID_IMAGE"},
    {"Invalid context", "CUDA_ERROR_INVALID_CONTEXT"},
    {"No binary for GPU", "CUDA_ERROR_NO_BINARY_FOR_GPU"},
    {"Uncorrectable ECC error detected", "CUDA_ERROR_ECC_UNCORRECTABLE"},
    {"Invalid handle", "CUDA_ERROR_INVALID_HANDLE"},
    {"Illegal address", "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {"Launch exceeded resources", "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
    {"Launch exceeded timeout", "CUDA_ERROR_LAUNCH_TIMEOUT"},
    {"Hardware stack error", "CUDA_ERROR_HARDWARE_STACK_ERROR"},
    {"Illegal instruction", "CUDA_ERROR_ILLEGAL_INSTRUCTION"},
    {"Misaligned address", "CUDA_ERROR_MISALIGNED_ADDRESS"},
    {"Invalid program counter", "CUDA_ERROR_INVALID_PC"},
    {"Launch failed", "CUDA_ERROR_LAUNCH_FAILED"},
    {"Unknown error", "CUDA_ERROR_UNKNOWN"},
};

struct Prefix {
  std::string_view text;
  std::string_view family;
};

constexpr Prefix kPrefixes[] = {
    {"cudaError", "runtime"},           {"cudaSuccess", "runtime"},       {"CUDA_ERROR_", "driver"},
    {"CUDA_SUCCESS", "driver"},         {"CUBLAS_STATUS_", "cublas"},     {"CUDNN_STATUS_", "cudnn"},
    {"CUSOLVER_STATUS_", "cusolver"},   {"CUSPARSE_STATUS_", "cusparse"}, {"CURAND_STATUS_", "curand"},
    {"NVRTC_ERROR_", "nvrtc"},          {"NVRTC_SUCCESS", "nvrtc"},       {"NVJITLINK_ERROR_", "nvjitlink"},
    {"NVJITLINK_SUCCESS", "nvjitlink"},
};

struct Worded {
  std::string_view text;
  const Status* status;
};

// The families whose libraries have words of their own; all others share the CUDA runtime's.
bool has_own_words(std::string_view family) {
  return family == "nccl" || family == "cusparse";
}

// What `family` prints, for "" what the CUDA runtime and those who share its words do.
std::vector<Worded> sorted_descriptions(std::string_view family) {
  std::vector<Worded> descriptions;
  auto add = [&](std::string_view text, const Status* status) {
    const bool wanted = has_own_words(status->family) ? status->family == family : family.empty();
    if (!text.empty() && wanted) descriptions.push_back({text, status});
  };
  for (const Status& status : status_table()) add(status.printed, &status);
  for (const Wording& wording : kOtherWordings) add(wording.text, find_status(wording.name));
  std::stable_sort(descriptions.begin(), descriptions.end(),
                   [](const auto& a, const auto& b) { return a.text < b.text; });
  return descriptions;
}

const std::vector<Worded>& descriptions_of(std::string_view family) {
  static const std::vector<Worded> of_cuda_stack = sorted_descriptions("");
  static const std::vector<Worded> of_nccl = sorted_descriptions("nccl");
  static const std::vector<Worded> of_cusparse = sorted_descriptions("cusparse");
  if (!has_own_words(family)) return of_cuda_stack;
  return family == "nccl" ? of_nccl : of_cusparse;
}

bool continues_word(std::string_view text, std::size_t at) {
  return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
}

bool of_cuda(const Status& status) {
  return status.family == "runtime" || status.family == "driver";
}

}  // namespace

const Status* find_status(std::string_view name) {
  static const std::vector<const Status*> by_name = [] {
    std::vector<const Status*> sorted;
    for (const Status& status : status_table()) sorted.push_back(&status);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
    return sorted;
  }();
  auto found = std::lower_bound(by_name.begin(), by_name.end(), name,
                                [](const Status* status, std::string_view wanted) { return status->name < wanted; });
  return found == by_name.end() || (*found)->name != name ? nullptr : *found;
}

const Status* find_status(std::string_view family, int code) {
  auto statuses = status_table();
  auto found = std::find_if(statuses.begin(), statuses.end(),
                            [&](const Status& status) { return status.code == code && status.family == family; });
  return found == statuses.end() ? nullptr : &*found;
}

const Status* find_legacy_status(std::string_view family, int code) {
  std::span<const Legacy> numbers;
  if (family == "runtime") numbers = kLegacyRuntime;
  if (family == "cudnn") numbers = kLegacyCudnn;
  auto found = std::find_if(numbers.begin(), numbers.end(), [&](const Legacy& legacy) { return legacy.code == code; });
  return found == numbers.end() ? nullptr : find_status(found->name);
}

std::string_view family_of(std::string_view identifier) {
  // cuFFT and NCCL prefix everything alike, so for them the table decides.
  if (identifier.starts_with("CUFFT_") || identifier.starts_with("nccl")) {
    const Status* status = find_status(identifier);
    return status ? status->family : std::string_view{};
  }
  for (const Prefix& prefix : kPrefixes) {
    if (!identifier.starts_with(prefix.text)) continue;
    const std::string_view rest = identifier.substr(prefix.text.size());
    const bool whole = prefix.text.ends_with("SUCCESS") || prefix.text.ends_with("Success");
    if (whole ? rest.empty() : !rest.empty() && std::isupper(static_cast<unsigned char>(rest.front()))) {
      return prefix.family;
    }
  }
  return {};
}

Description find_description(std::string_view text, std::string_view family) {
  const std::vector<Worded>& descriptions = descriptions_of(family);
  // Everything that `text` begins with sorts before it, with the longest last.
  auto after = std::upper_bound(descriptions.begin(), descriptions.end(), text,
                                [](std::string_view wanted, const Worded& worded) { return wanted < worded.text; });
  Description best;
  while (after != descriptions.begin()) {
    const Worded& worded = *--after;
    if (worded.text.substr(0, 3) != text.substr(0, 3)) break;
    const bool fits = text.starts_with(worded.text) && !continues_word(text, worded.text.size());
    if (fits && worded.text.size() >= best.length) best = {worded.status, worded.text.size()};
  }
  if (best.status && family == "driver" && best.status->family == "runtime") {
    if (const Status* twin = find_status("driver", best.status->code)) best.status = twin;
  }
  return best;
}

bool same_fault(const Status& a, const Status& b) {
  return &a == &b || (of_cuda(a) && of_cuda(b) && a.code == b.code);
}

}  // namespace cutopsy
