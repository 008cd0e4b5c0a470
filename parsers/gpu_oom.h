// Allocations that failed on the GPU or in pinned host memory, as PyTorch, TensorFlow, XLA, CuPy, llama.cpp,
// ONNX Runtime, Paddle, TensorRT, RMM, NCCL, Julia, Blender and bare CUDA programs print them.
//
// A line gives at most one `gpu.oom` event. The arithmetic that tells the causes apart (memory of other processes,
// fragmentation) is done here, from whatever numbers the message prints; a number that is missing leaves out every
// field that needs it.
#pragma once

#include <optional>

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kGpuOomParser;

/// What the parser reads in `line`; nothing when it tells of no failed allocation.
std::optional<Event> read_gpu_oom(const Line& line);

}  // namespace cutopsy
