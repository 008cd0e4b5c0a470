// Formats:
// https://github.com/pytorch/pytorch/blob/main/c10/cuda/CUDACachingAllocator.cpp (and CUDAMallocAsyncAllocator.cpp)
// https://github.com/openxla/xla/blob/main/xla/tsl/framework/bfc_allocator.cc
// https://github.com/cupy/cupy/blob/main/cupy/cuda/memory.pyx
// https://github.com/ggml-org/llama.cpp/blob/master/ggml/src/ggml-cuda/ggml-cuda.cu (and ggml-alloc.c)
// https://github.com/microsoft/onnxruntime/blob/main/onnxruntime/core/framework/bfc_arena.cc
// https://github.com/PaddlePaddle/Paddle/blob/develop/paddle/phi/core/memory/allocation/cuda_allocator.cc
// https://github.com/NVIDIA/nccl/blob/master/src/include/alloc.h
// https://github.com/Theano/Theano/blob/master/theano/sandbox/cuda/cuda_ndarray.cu
#include "parsers/gpu_oom.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <optional>

#include "parsers/byte_size.h"
#include "parsers/cuda_status.h"
#include "parsers/line_event.h"
#include "parsers/memory_balance.h"
#include "parsers/mention.h"
#include "parsers/multiline_oom.h"
#include "parsers/phrase.h"
#include "parsers/status_details.h"

namespace cutopsy {
namespace {

constexpr auto npos = std::string_view::npos;

// What frameworks say.
constexpr Phrase kMessages[] = {
    {"CUDA out of memory",
     R"(\bCUDA out of memory(?:[.:,;!)'"\]\\]|\s*$| (?:occurred|encountered|detected|while|when|during|on|in|at|for|after|error|exception|\(|-|\[)))",
     "torch"},
    {"HIP out of memory", R"(\bHIP out of memory(?:[.:,;!)'"\]\\]|\s*$))", "torch"},
    {"Allocation on device", R"(\bAllocation on device(?: (?P<gpu>\d+) would exceed|\s*$))", "torch"},
    {"NVML_SUCCESS == r", R"(NVML_SUCCESS == r INTERNAL ASSERT FAILED)", "torch"},
    {"OOM trying to allocate", R"(OOM trying to allocate workspace)", "torch"},
    {"total capac", R"([\d.,]+ ?\w+ total capacity;|total capac(?:i)?ty of [\d.,]+ ?\w+ of which)", "torch"},
    {"already allocated;", R"([\d.,]+ ?\w+ already allocated;)", "torch"},
    {"allocated by PyTorch", R"([\d.,]+ ?\w+ is allocated by PyTorch)", "torch"},
    {"Currently allocated  ", R"(^\s*Currently allocated\s+: (?P<allocated>[\d.,]+ ?\w+))", "torch"},
    {"Requested       ", R"(^\s*Requested\s+: (?P<tried_to_allocate>[\d.,]+ ?\w+))", "torch"},
    {"Device limit    ", R"(^\s*Device limit\s+: (?P<capacity>[\d.,]+ ?\w+))", "torch"},
    {"Free (according to CUDA)", R"(^\s*Free \(according to CUDA\)\s*: (?P<free>[\d.,]+ ?\w+))", "torch"},

    {"ran out of memory trying",
     R"(Allocator \((?P<allocator>[^)]+)\) ran out of memory trying to allocate (?P<tried_to_allocate>[\d.,]+ ?\w+))",
     "tensorflow"},
    {"OOM when allocating", R"(OOM when allocating tensor)", "tensorflow"},
    {"Dst tensor is not init", R"(: Dst tensor is not initialized)", "tensorflow"},
    {"failed to allocate memo", R"(\}\} failed to allocate memory(?:\s|$))", "tensorflow"},
    {"cuMemAllocAsync failed", R"(cuMemAllocAsync failed to allocate (?P<tried_to_allocate>\d+ bytes))", "tensorflow"},
    {"bytes on host", R"(failed to alloc(?:ate)? (?P<tried_to_allocate>\d+ bytes) on host)", "tensorflow"},
    {"pinned host memory of", R"(could not allocate pinned host memory of size: (?P<tried_to_allocate>\d+))",
     "tensorflow"},
    {"on device ordinal",
     R"([Ff]ailed to allocate request for (?P<tried_to_allocate>[\d.,]+ ?\w+).*)"
     R"( on device ordinal (?P<gpu>\d+))",
     "jax"},
    {"Out of memory while", R"(Out of memory while trying to allocate (?P<tried_to_allocate>[\d.,]+ ?\w+))", "jax"},
    {"Out of memory allocating",
     R"(Out of memory allocating (?P<tried_to_allocate>[\d.,]+ ?\w+) \(allocated so far: (?P<allocated>[\d.,]+ ?\w+))",
     "cupy"},
    {"Out of memory allocating", R"(Out of memory allocating (?P<tried_to_allocate>[\d.,]+ ?\w+))", "jax"},
    {"bytes for new constant", R"(Failed to allocate (?P<tried_to_allocate>\d+ bytes) for new constant)", "jax"},
    {"out of memory to allocat", R"(out of memory to allocate (?P<tried_to_allocate>\d+ bytes))", "cupy"},

    {"to allocate CUDA",
     R"((?:failed|unable) to allocate CUDA(?P<gpu>\d+) buffer(?: of size (?P<tried_to_allocate>\d+))?)", "llama.cpp"},
    {"to allocate CUDA", R"((?:failed|unable) to allocate CUDA_Host buffer)", "llama.cpp"},
    {"for requested buffer of", R"(Failed to allocate memory for requested buffer of size (?P<tried_to_allocate>\d+))",
     "onnxruntime"},
    {"than requested bytes of",
     R"(Available memory of (?P<free>\d+) is smaller than requested bytes of (?P<tried_to_allocate>\d+))",
     "onnxruntime"},
    {"Out of memory error on",
     R"(Out of memory error on GPU (?P<gpu>\d+)\.(?: Cannot allocate (?P<tried_to_allocate>[\d.,]+ ?\w+))?)"
     R"((?:.*?, (?P<allocated>[\d.,]+ ?\w+) memory has been allocated)?)"
     R"((?:.*available memory is (?:only )?(?P<free>[\d.,]+ ?\w+))?)",
     "paddle"},
    {"amount of GPU memory",
     R"(Requested amount of GPU memory \((?P<tried_to_allocate>[\d.,]+ ?\w+)\) could not be allocated)", "tensorrt"},
    {": OutOfMemory (",
     R"(Error Code \d+: OutOfMemory \((?:Requested size was (?P<tried_to_allocate>\d+ bytes)|no further information))",
     "tensorrt"},
    {"pool size exceeded",
     R"((?:^|[^E] |[^ ])[Mm]aximum pool size exceeded(?:.*?failed to allocate (?P<tried_to_allocate>[\d.,]+ ?\w+))?)",
     "rmm"},
    {"Failed to CUDA ", R"(Failed to CUDA (?:host )?\w*alloc\w*(?: async)? (?P<tried_to_allocate>[\d.,]+ ?\w+))",
     "nccl"},
    {"of device memory", R"(Error allocating (?P<tried_to_allocate>\d+ bytes) of device memory \(out of memory)",
     "theano"},
    {"from DEVICE [", R"(Failed to allocate (?P<tried_to_allocate>\d+ bytes) from DEVICE \[(?P<gpu>\d+)\] memory)",
     "nd4j"},
    {"Out of GPU memory", R"(Out of GPU memory(?: trying to allocate (?P<tried_to_allocate>[\d.,]+ ?\w+))?)", "julia"},
    {"CUDA failed with error", R"(CUDA failed with error out of memory)", "ctranslate2"},
    {"Out of memory on device.", R"(Out of memory on device\.)", "matlab"},
    {"Memory allocation failed", R"(Memory allocation failed out of memory)", "mxnet"},
    {"[CUDA] out of memory", R"(\[CUDA\] out of memory)", "lightgbm"},

    {"GpuBuffer::Allocate fail", R"(GpuBuffer::Allocate failed\b.* out of memory)", "amber"},
    {"out of memory launching", R"(^Error: out of memory launching kernel)", "amber"},
    {"): out of memory", R"(\bon Pe \d+ \(\S+ device (?P<gpu>\d+)\b[^)]*\): out of memory)", "namd"},
    {"y on accelerator", R"(Insufficient memory on accelerator)", "lammps"},
    {"CUDA error !!!!!", R"(CUDA error !!!!! <out of memory>)", "specfem"},
    {"bytes requested; ",
     R"(ALLOCATE: (?P<tried_to_allocate>\d+ bytes) requested; (?:status = 2|not enough memory: 2)\(out of memory)",
     "fortran"},
    {"error code out of memory", R"(\(error code out of memory\))", "cuda-samples"},

    {"out of GPU memory", R"(System is out of GPU memory)", "blender"},
    {"out of GPU and shared", R"(System is out of GPU and shared host memory)", "blender"},
    {"Out of memory in", R"(Out of memory in (?:cu[A-Z]|CUDA |[Oo]pti[xX]))", "blender"},
    {"context (Out of memory", R"(Failed to create (?:CUDA|OptiX) context \(Out of memory)", "blender"},
    {"DEVICE_OUT_OF_MEMORY", R"(OPTIX_ERROR_DEVICE_OUT_OF_MEMORY)", "optix"},
};

// What announces a status of the runtime or the driver that says the same.
constexpr std::string_view kStatusLeads[] = {"out of memory", "Out of memory", "OUT_OF_MEMORY", "MemoryAllocation"};

// What else such a line tells, whatever its form.
constexpr Phrase kDetails[] = {
    {"Tried to allocate", R"(Tried to allocate (?:more than )?(?P<tried_to_allocate>[\d.,]+ ?\w+))"},
    {"ailed to alloc", R"([Ff]ailed to alloc(?:ate)? (?P<tried_to_allocate>[\d.,]+ ?\w+))"},
    {"allocating", R"(\ballocating (?P<tried_to_allocate>[\d.,]+ ?\w+))"},
    {"GPU ", R"(\bGPU (?P<gpu>\d+)(?:;| has))"},
    {"on device ", R"(\bon device (?P<gpu>\d+))"},
    {"; GPU=", R"(; GPU=(?P<gpu>\d+))"},
    {"GPU_", R"(\bGPU_(?P<gpu>\d+)_bfc)"},
    {"device:GPU:", R"(device:GPU:(?P<gpu>\d+))"},
    {"Driver report", R"(Driver report (?P<free>\d+ bytes) free and (?P<capacity>\d+ bytes) total)"},
    {" total capacity", R"((?P<capacity>[\d.,]+ ?\w+) total capacity)"},
    {"total capac", R"(total capac(?:i)?ty of (?P<capacity>[\d.,]+ ?\w+))"},
    {" free", R"((?P<free>[\d.,]+ ?\w+) free[;)])"},
    {" is free", R"(of which (?P<free>[\d.,]+ ?\w+) is free)"},
    {" already allocated", R"((?P<allocated>[\d.,]+ ?\w+) already allocated)"},
    {" is allocated by", R"((?P<allocated>[\d.,]+ ?\w+) is allocated by PyTorch)"},
    {" reserved in total", R"((?P<reserved>[\d.,]+ ?\w+) reserved in total by PyTorch)"},
    {" allowed; ", R"((?P<limit>[\d.,]+ ?\w+) allowed; )"},
    {"limit set to", R"(limit set to: (?P<limit>[\d.,]+ ?\w+))"},
    {" cached", R"((?P<cached>[\d.,]+ ?\w+) cached)"},
    {"Currently allocated  ", R"(Currently allocated\s+: (?P<allocated>[\d.,]+ ?\w+))"},
    {"Requested       ", R"(Requested\s+: (?P<tried_to_allocate>[\d.,]+ ?\w+))"},
    {"Device limit    ", R"(Device limit\s+: (?P<capacity>[\d.,]+ ?\w+))"},
    {"Free (according to CUDA)", R"(Free \(according to CUDA\)\s*: (?P<free>[\d.,]+ ?\w+))"},
    {"this process has", R"(this process has (?P<in_use>[\d.,]+ ?\w+) memory in use)"},
    {" is reserved by", R"((?P<reserved_unused>[\d.,]+ ?\w+) is reserved by PyTorch but unallocated)"},
    {"by allocator ", R"(by allocator (?P<allocator>\w+))"},
    {" on host", R"(\bon host\b)", {}, {"host", "true"}},
    {"pinned", R"(\bpinned (?:host )?memory)", {}, {"host", "true"}},
    {"_host_bfc", R"(_host_bfc)", {}, {"host", "true"}},
    {"CUDA_Host", R"(CUDA_Host buffer)", {}, {"host", "true"}},
    {"HostAllocator", R"(CachingHostAllocator|gpu_host_allocator)", {}, {"host", "true"}},
    {"cudaHostalloc", R"(cudaHostalloc GpuBuffer)", {}, {"host", "true"}},
    {"CUDA host", R"(Failed to CUDA host)", {}, {"host", "true"}},
    {"Host",
     R"(\bcuda(?:HostAlloc|MallocHost|HostRegister)|\bcuMem(?:HostAlloc|AllocHost|HostRegister))",
     {},
     {"host", "true"}},
    {"not a failure", R"(this is not a failure)", {}, {"harmless", "true"}},
    {"performance gains", R"(could be performance gains)", {}, {"harmless", "true"}},
};

// What the program says in the same line when it goes on without the memory.
constexpr Phrase kSurvived[] = {
    {"skipping ", R"(\bskipping (?:this )?(?:batch|update|step|sample|iteration)\b)"},
    {"retrying", R"((?:\band|,) retrying\b)"},
};

// Each process that the message names, but for this one: PyTorch says "this process has".
constexpr std::string_view kProcess = "Process ";
constexpr std::string_view kMemoryInUse = " memory in use";

constexpr auto kTriggers = [] {
  constexpr auto messages = triggers_of(kMessages);
  std::array<std::string_view, messages.size() + std::size(kStatusLeads)> triggers;
  std::size_t i = 0;
  for (std::string_view literal : messages) triggers[i++] = literal;
  for (std::string_view lead : kStatusLeads) triggers[i++] = lead;
  return triggers;
}();

struct Message {
  std::size_t begin = 0;  // where it begins in the line
  std::string_view emitter;
};

// Where the sentence begins that holds text[at].
std::size_t sentence_begin(std::string_view text, std::size_t at) {
  for (std::size_t i = at; i >= 2; --i) {
    if (text[i - 1] == ' ' && (text[i - 2] == ':' || text[i - 2] == ']')) return i;
  }
  return 0;
}

std::optional<Message> read_message(std::string_view text, Fields& fields) {
  static const PhraseBook messages(kMessages);
  const Phrase* said = messages.find(text, fields);
  if (!said) return std::nullopt;
  const std::size_t begin = text.find(said->literal);
  if (only_mentioned(text.substr(0, begin))) return std::nullopt;
  return Message{sentence_begin(text, begin), said->emitter};
}

std::optional<Message> read_status(const Line& line) {
  bool possible = false;
  for (std::string_view lead : kStatusLeads) possible = possible || line.text.find(lead) != npos;
  if (!possible) return std::nullopt;
  for (const StatusReport& report : read_statuses(line)) {
    if (report.name == "cudaErrorMemoryAllocation" || report.name == "CUDA_ERROR_OUT_OF_MEMORY") {
      return Message{report.begin, emitter_of_line(line.text)};
    }
  }
  return std::nullopt;
}

// Sums up "Process 5151 has 448.00 MiB memory in use".
ForeignMemory read_foreign(std::string_view text) {
  ForeignMemory foreign;
  for (auto at = text.find(kProcess); at != npos; at = text.find(kProcess, at + 1)) {
    std::string_view rest = text.substr(at + kProcess.size());
    const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    rest.remove_prefix(digits);
    if (digits == 0 || !rest.starts_with(" has ")) continue;
    rest.remove_prefix(5);
    const auto size = read_byte_size(rest);
    if (!size || !rest.substr(size->text.size()).starts_with(kMemoryInUse)) continue;
    if (foreign.processes++ == 0) foreign.first = size->text;
    foreign.bytes += std::min(size->bytes, std::numeric_limits<std::uint64_t>::max() - foreign.bytes);
  }
  return foreign;
}

void parse(const Line& line, EventSink& sink) {
  if (goes_on_below(line.text)) return;
  if (auto event = read_gpu_oom(line)) sink.on_event(std::move(*event));
}

}  // namespace

std::optional<Event> read_gpu_oom(const Line& line) {
  Fields fields;
  auto message = read_message(line.text, fields);
  if (!message) {
    fields = {};
    message = read_status(line);
  }
  static const PhraseBook survived(kSurvived);
  Fields none;
  if (!message || survived.find(line.text, none)) return std::nullopt;
  static const PhraseBook details(kDetails);
  details.collect(line.text, fields);
  const std::string_view allocator = fields.get("allocator");
  if (allocator == "cpu" || allocator == "mklcpu") return std::nullopt;  // the host's own memory
  add_memory_balance(read_foreign(line.text), fields);
  fields.set("message", line.text.substr(message->begin));
  Event event = line_event(line, "gpu.oom", message->emitter);
  event.fields = std::move(fields);
  return event;
}

const LineParser kGpuOomParser = {"gpu_oom", kTriggers, parse};

}  // namespace cutopsy
