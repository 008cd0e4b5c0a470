#include "parsers/status_details.h"

#include <algorithm>
#include <iterator>

#include "parsers/pair_filter.h"
#include "parsers/phrase.h"

namespace cutopsy {
namespace {

struct Emitter {
  std::string_view mark;
  std::string_view name;
};

// In order: what wraps another's message comes first.
constexpr Emitter kEmitters[] = {
    {"=========", "compute-sanitizer"},
    {"OpenCV(", "opencv"},
    {"onnxruntime", "onnxruntime"},
    {"ONNXRuntime", "onnxruntime"},
    {" ; GPU=", "onnxruntime"},
    {"TensorRT-LLM", "tensorrt-llm"},
    {"TRT-LLM", "tensorrt-llm"},
    {"[TRT]", "tensorrt"},
    {"TensorRT", "tensorrt"},
    {"Cuda Runtime (", "tensorrt"},
    {"Cuda Driver (", "tensorrt"},
    {"ggml", "llama.cpp"},
    {"llama runner", "llama.cpp"},
    {"cupy", "cupy"},
    {"numba", "numba"},
    {"CudaAPIError", "numba"},
    {"Call to cu", "numba"},
    {"pycuda", "pycuda"},
    {"jaxlib", "jax"},
    {"jax.", "jax"},
    {"XlaRuntimeError", "jax"},
    {"JaxRuntimeError", "jax"},
    {"pjrt", "jax"},
    {"tensorflow", "tensorflow"},
    {"stream_executor", "tensorflow"},
    {"cuda_driver.cc", "tensorflow"},
    {"cuda_blas.cc", "tensorflow"},
    {"cuda_dnn.cc", "tensorflow"},
    {"failed call to cuInit", "tensorflow"},
    {" bytes) from device: ", "tensorflow"},
    {"gpu_async_", "tensorflow"},
    {"paddle", "paddle"},
    {"mxnet", "mxnet"},
    {"MXNet", "mxnet"},
    {"caffe", "caffe"},
    {"cycles", "blender"},
    {"NCCL", "nccl"},
    {"nccl", "nccl"},
    {"Cuda failure", "nccl"},
    {"Triton Error [CUDA]", "triton"},
    {"THCudaCheck", "torch"},
    {"cuda runtime error (", "torch"},
    {"RuntimeError: CUDA error", "torch"},
    {"RuntimeError: CUDA driver error", "torch"},
    {"RuntimeError: CUDA NVRTC error", "torch"},
    {"RuntimeError: cuDNN", "torch"},
    {"RuntimeError: cuFFT error", "torch"},
    {"RuntimeError: cusolver error", "torch"},
    {"AcceleratorError", "torch"},
    {"cudaGetDeviceCount(). Did you", "torch"},
    {"c10", "torch"},
    {"torch", "torch"},
    {"/cub/", "thrust"},
    {"thrust", "thrust"},
    {"after reduction step", "thrust"},
    {"parallel_for failed", "thrust"},
    {"failed on 1st step", "thrust"},
    {"failed on 2nd step", "thrust"},
    {"failed to synchronize: cuda", "thrust"},
    {"CTranslate2", "ctranslate2"},
    {"ctranslate2", "ctranslate2"},
    {"what():  CUDA error: ", "torch"},
};

// The failing call: as an error macro quotes it, else the first API function named. Enumerators, which begin like
// functions, are left out.
constexpr Phrase kApis[] = {
    {"when calling `", R"(when calling `(?P<api>[^`]+)`)"},           // PyTorch
    {"expr=", R"(\bexpr=(?P<api>[^;]*[^;\s])\s*(?:;|$))"},            // ONNX Runtime
    {"on CUDA API call to ", R"(on CUDA API call to (?P<api>\w+))"},  // cuda-memcheck
    {"code=", R"re(\bcode=\d+ ?\([^)]*\) "(?P<api>[^"]+)")re"},       // CUDA samples
    {"cuda", R"(\b(?P<api>cuda(?:[A-DF-RT-Z]|E[a-qs-z]|S[a-tv-z])\w*)(?:[ (:,;]|\.(?:\s|$)|$))"},
    {"cu",
     R"(\b(?P<api>cu(?:Init|Ctx|Mem|Module|Launch|Stream|Device|Event|Func|Graph|Link)\w*)(?:[ (:,;]|\.(?:\s|$)|$))"},
    {"cu", R"(\b(?P<api>cu(?:blas|dnn|solver|sparse|fft|rand)(?:Lt|Dn|Sp)?[A-Z][a-z]\w*)(?:[ (:,;]|\.(?:\s|$)|$))"},
};

// A source file and a line in it, as error macros print them. A file before "]" is the head of a log line.
constexpr Phrase kPlaces[] = {
    {"file=", R"(\bfile=(?P<file>\S+)[ ;]+line=(?P<line>\d+))"},  // THCudaCheck, ONNX Runtime
    {", ", R"(\[(?P<file>[^\[\],\s]+\.\w+), (?P<line>\d+)\])"},   // CUB
    {"in file ", R"(in file '?(?P<file>[^'\s,]+)'?(?:, function \S+)?,? (?:(?:in|at|on) )?line (?P<line>\d+))"},
    {".",
     R"((?P<file>(?:\b[A-Za-z]:[\\/])?[\w./\\+@%~-]*[\w-]\.(?:cuh?|cpp|cc|cxx|c|hpp|hh|h|inl|inc|ipp|pyx|F90|f90|C|H)))"
     R"([:(](?P<line>\d+)(?:[^\]\d]|$))"},
    {".", R"((?P<file>\S+\.(?:cuh?|cpp|cc|cxx|c|hpp|h)) (?P<line>\d+)$)"},  // the gpuAssert of many tutorials
    {"line ", R"(\bline (?P<line>\d+) (?:in|of)(?: file)? '?(?P<file>[^'\s]+\.\w+))"},
};

constexpr Phrase kOthers[] = {
    {"OpenCV(", R"(\b(?P<library>OpenCV\([\w.-]+\)))"},
    {"Gpu API call", R"(\bin function '?(?P<function>\w+))"},
    {"launching kernel ", R"(\blaunching kernel (?P<kernel>\w+))"},  // AMBER
    {"ErrStr:", R"((?:\bName: |: )(?P<kernel>\w+) ErrStr:)"},        // MXNet
    {"when loading ", R"(\bwhen loading (?P<symbol>\w+))"},          // candle
    {"error in func", R"(error in func(?:tion)? '?(?P<function>[\w:]*\w))"},
    {"failed to open ", R"(failed to open (?P<library>[\w+./\\-]*\w))"},
    {"; GPU=", R"(; GPU=(?P<gpu>\d+))", {}, {"library", "onnxruntime"}},
    {"ONNXRuntime", R"(\[ONNXRuntimeError\])", {}, {"library", "onnxruntime"}},
};

}  // namespace

std::string_view emitter_of_line(std::string_view text) {
  const PairFilter pairs(text);
  auto found = std::find_if(std::begin(kEmitters), std::end(kEmitters), [&](const Emitter& emitter) {
    return pairs.may_hold(emitter.mark) && text.find(emitter.mark) != text.npos;
  });
  return found == std::end(kEmitters) ? std::string_view{} : found->name;
}

void add_status_details(std::string_view text, std::size_t at, Fields& fields) {
  static const PhraseBook apis(kApis);
  static const PhraseBook places(kPlaces);
  static const PhraseBook others(kOthers);
  apis.find(text, fields);
  if (!places.find(text.substr(at), fields)) places.find(text.substr(0, at), fields);
  others.collect(text, fields);
}

}  // namespace cutopsy
