// The CUDA driver of this machine, opened at run time: one binary runs with and without a GPU.
#pragma once

#include <optional>
#include <string>

namespace cutopsy {

struct CudaDriver {
  int cuda_version = 0;  ///< newest CUDA that the driver runs: 1000 * major + 10 * minor, as cuDriverGetVersion() tells
};

/// Asks the driver library for its version; creates no context. `library` is for tests.
/// No value when there is no driver; `*why_not` then says what was missing.
std::optional<CudaDriver> find_cuda_driver(std::string* why_not, const std::string& library = "libcuda.so.1");

}  // namespace cutopsy
