// The machine of a kernel body on the device: every member is one instruction or a register.
#pragma once

#include "kernels/machine.h"
#include "kernels/number_format.h"

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
  __device__ void reload() { asm volatile("" ::: "memory"); }

  template <typename T>
  class Lanes {
   public:
    __device__ T& operator[](unsigned) { return mine_; }
    __device__ T operator[](unsigned) const { return mine_; }

   private:
    T mine_;
  };
  template <typename Phase>
  __device__ void each_warp(Phase phase) {
    phase(threadIdx.x / 32);
  }
  template <typename Phase>
  __device__ void each_lane(Phase phase) {
    phase(threadIdx.x % 32);
  }

  // Compute capabilities from which on PTX has an mma instruction for the format.
  template <Format kFormat>
  static constexpr __device__ bool multiplies() {
    return kFormat == Format::fp32 || kArchitecture >= (kFormat == Format::fp16  ? 750
                                                        : kFormat == Format::fp8 ? 890
                                                                                 : 800);
  }
  template <Format kFormat>
  __device__ void multiply_accumulate(Lanes<float> (&sums)[4], const Lanes<std::uint32_t> (&a)[4],
                                      const Lanes<std::uint32_t> (&b)[2]) {
#define CUTOPSY_MMA(instruction)                                                                                  \
  asm volatile("mma.sync.aligned." instruction " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};" \
               : "+f"(sums[0][0]), "+f"(sums[1][0]), "+f"(sums[2][0]), "+f"(sums[3][0])                           \
               : "r"(a[0][0]), "r"(a[1][0]), "r"(a[2][0]), "r"(a[3][0]), "r"(b[0][0]), "r"(b[1][0]))
    if constexpr (kFormat == Format::fp8) CUTOPSY_MMA("m16n8k32.row.col.f32.e4m3.e4m3.f32");
    if constexpr (kFormat == Format::bf16) CUTOPSY_MMA("m16n8k16.row.col.f32.bf16.bf16.f32");
    if constexpr (kFormat == Format::tf32) CUTOPSY_MMA("m16n8k8.row.col.f32.tf32.tf32.f32");
    if constexpr (kFormat == Format::fp16 && kArchitecture >= 800) CUTOPSY_MMA("m16n8k16.row.col.f32.f16.f16.f32");
#undef CUTOPSY_MMA
    if constexpr (kFormat == Format::fp16 && kArchitecture < 800) {
      CUTOPSY_UNROLL
      for (unsigned half = 0; half < 2; ++half) {
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+f"(sums[0][0]), "+f"(sums[1][0]), "+f"(sums[2][0]), "+f"(sums[3][0])
            : "r"(a[2 * half][0]), "r"(a[2 * half + 1][0]), "r"(b[half][0]));
      }
    }
  }

  template <typename T>
  __device__ T* shared() {
    extern __shared__ uint4 cutopsy_shared[];
    return reinterpret_cast<T*>(cutopsy_shared);
  }

  template <typename T>
  __device__ T load_shared(const T* address) {
    return *static_cast<const volatile T*>(address);
  }
  template <typename T>
  __device__ void store_shared(T* address, T value) {
    *static_cast<volatile T*>(address) = value;
  }

  template <typename T>
  __device__ T load(const T* address) {
    return *address;
  }
  template <typename T>
  __device__ void store(T* address, T value) {
    *address = value;
  }
  // ld.global.cv: past the L1 cache.
  __device__ std::uint64_t load_anew(const std::uint64_t* address) {
    return __ldcv(reinterpret_cast<const unsigned long long*>(address));
  }
  // ld.global.cs and st.global.cs of 16 bytes.
  __device__ Quad load_once(const Quad* address) {
    const ulonglong2 value = __ldcs(reinterpret_cast<const ulonglong2*>(address));
    return {value.x, value.y};
  }
  __device__ void store_once(Quad* address, Quad value) {
    __stcs(reinterpret_cast<ulonglong2*>(address), make_ulonglong2(value.low, value.high));
  }

  __device__ void add(std::uint64_t* address, std::uint64_t value) {
    take(address, value);
  }
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

 private:
  // What the code is compiled for: 100 * major + 10 * minor. Text for older drivers has no mma instructions.
#if defined(__CUDA_ARCH__) && !defined(CUTOPSY_LOWERED)
  static constexpr int kArchitecture = __CUDA_ARCH__;
#else
  static constexpr int kArchitecture = 500;
#endif
};

}  // namespace cutopsy::kernels
