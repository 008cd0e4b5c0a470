// The user-space half of the NVIDIA driver (libcuda.so.1 and its companions), judged by its files and never loaded.
#pragma once

#include <string>

#include "validators/library_search.h"

namespace cutopsy {

/// Whether a libcuda is the toolkit's stub: it serves to link a program, and every function of it returns
/// CUDA_ERROR_STUB_LIBRARY (34). Told by the code of cuInit, or by a folder named stubs. `path` is for system calls.
bool is_stub_driver(const FoundLibrary& library, const std::string& path);

/// Whether a libcuda is from the forward-compatibility package (cuda-compat), told by its folder:
/// https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html
bool is_compat_driver(const FoundLibrary& library);

}  // namespace cutopsy
