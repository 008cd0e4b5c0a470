// A context on a device and memory on it, given back at the end of their lives.
//
// Objects are made empty and filled by a call that answers with a CudaStatus. Not thread-safe: the context is current
// on the thread that opened it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "validators/cuda_driver.h"

namespace cutopsy {

/// The primary context of a device: the one that the CUDA runtime would use.
class CudaContext {
 public:
  explicit CudaContext(const CudaDriver& cuda, int ordinal = 0) : cuda_(cuda), ordinal_(ordinal) {}
  ~CudaContext();
  CudaContext(const CudaContext&) = delete;
  CudaContext& operator=(const CudaContext&) = delete;

  /// Starts the driver, retains the context and makes it current. Loads kernel modules and creates device nodes where
  /// they are missing: cuInit does.
  CudaStatus open();
  /// For who works with several contexts. Without one it does nothing.
  CudaStatus make_current() const;
  CudaStatus attribute(cuda::DeviceAttribute attribute, int* value) const;
  /// Waits for all work. Errors of kernels show here.
  CudaStatus synchronise() const { return cuda_.cuCtxSynchronize(); }

  const CudaDriver& cuda() const { return cuda_; }
  int ordinal() const { return ordinal_; }
  cuda::Context handle() const { return context_; }

 private:
  const CudaDriver& cuda_;
  int ordinal_;
  cuda::Device device_ = 0;
  cuda::Context context_ = nullptr;
};

/// One allocation.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  ~DeviceMemory() { release(); }
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;

  /// Replaces what it held. Zero bytes are an error, as they are for the driver.
  CudaStatus allocate(const CudaDriver& cuda, std::size_t bytes);
  void release();

  cuda::Address address() const { return address_; }
  std::size_t bytes() const { return bytes_; }
  /// As a kernel takes it; not for the CPU to follow.
  template <typename T>
  T* pointer() const {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(address_));
  }

  CudaStatus set(unsigned char value) const { return cuda_->cuMemsetD8_v2(address_, value, bytes_); }
  /// `bytes` from its beginning.
  CudaStatus read(void* to, std::size_t bytes) const { return cuda_->cuMemcpyDtoH_v2(to, address_, bytes); }

 private:
  const CudaDriver* cuda_ = nullptr;
  cuda::Address address_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace cutopsy
