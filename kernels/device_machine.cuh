// The machine of a kernel body on the device: every member is one instruction or a register.
#pragma once

#include "kernels/machine.h"

namespace cutopsy::kernels {

class DeviceMachine {
 public:
  __device__ unsigned block() const { return blockIdx.x; }
  __device__ unsigned grid() const { return gridDim.x; }
  __device__ unsigned threads() const { return blockDim.x; }
  __device__ unsigned sm() const {
    unsigned number;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
    return number;
  }

  template <typename Phase>
  __device__ void each(Phase phase) {
    phase(threadIdx.x);
  }
  __device__ void sync() { __syncthreads(); }

  template <typename T>
  __device__ T* shared() {
    extern __shared__ uint4 cutopsy_shared[];
    return reinterpret_cast<T*>(cutopsy_shared);
  }

  template <typename T>
  __device__ T load(const T* address) {
    return *address;
  }
  template <typename T>
  __device__ void store(T* address, T value) {
    *address = value;
  }
  // ld.global.cs and st.global.cs of 16 bytes.
  __device__ Quad load_once(const Quad* address) {
    const ulonglong2 value = __ldcs(reinterpret_cast<const ulonglong2*>(address));
    return {value.x, value.y};
  }
  __device__ void store_once(Quad* address, Quad value) {
    __stcs(reinterpret_cast<ulonglong2*>(address), make_ulonglong2(value.low, value.high));
  }

  __device__ void add(std::uint64_t* address, std::uint64_t value) { take(address, value); }
  __device__ void either(std::uint64_t* address, std::uint64_t value) {
    atomicOr(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
  }
  __device__ std::uint64_t take(std::uint64_t* address, std::uint64_t value) {
    return atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value));
  }

  template <typename T>
  __device__ T computed(T value) {
    return value;
  }
};

}  // namespace cutopsy::kernels
