// Device code loaded into the current context, and its kernels launched.
#pragma once

#include <cstddef>
#include <string>

#include "validators/cuda_driver.h"

namespace cutopsy {

struct LaunchShape {
  unsigned grid = 1;          ///< blocks
  unsigned block = 1;         ///< threads in a block
  unsigned shared_bytes = 0;  ///< dynamic shared memory of a block
};

class CudaModule {
 public:
  explicit CudaModule(const CudaDriver& cuda) : cuda_(cuda) {}
  ~CudaModule() { unload(); }
  CudaModule(const CudaModule&) = delete;
  CudaModule& operator=(const CudaModule&) = delete;

  /// Loads a fatbin or cubin (64-byte aligned) or PTX text that ends with a NUL. Replaces what it held.
  CudaStatus load(const void* image);
  /// What the driver's compiler said about the last image that did not load; "" when nothing.
  const std::string& log() const { return log_; }

  CudaStatus find(const char* kernel, cuda::Function* function) const;
  CudaStatus attribute(cuda::Function function, cuda::FunctionAttribute attribute, int* value) const;

  /// Starts a kernel on the default stream with copies of the arguments, whose types must be those of the kernel. An
  /// error of the kernel itself shows when the context is synchronised.
  template <typename... Arguments>
  CudaStatus launch(cuda::Function function, const LaunchShape& shape, Arguments... arguments) const {
    void* pointers[] = {&arguments..., nullptr};
    return cuda_.cuLaunchKernel(function, shape.grid, 1, 1, shape.block, 1, 1, shape.shared_bytes, nullptr, pointers,
                                nullptr);
  }

 private:
  void unload();

  const CudaDriver& cuda_;
  cuda::Module module_ = nullptr;
  std::string log_;
};

}  // namespace cutopsy
