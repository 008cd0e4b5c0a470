// The machine of a kernel body on the device: every member is one instruction or a register.
#pragma once

#include "kernels/gemm.h"
#include "kernels/machine.h"
#include "kernels/number_format.h"

namespace cutopsy::kernels {

// The sums of a thread in a warpgroup's multiplication, by their columns.
#define CUTOPSY_SUMS_OF(group) \
  "+f"(sums[group][0][0]), "+f"(sums[group][1][0]), "+f"(sums[group][2][0]), "+f"(sums[group][3][0])
#define CUTOPSY_SUMS CUTOPSY_SUMS_OF(0), CUTOPSY_SUMS_OF(1), CUTOPSY_SUMS_OF(2), CUTOPSY_SUMS_OF(3)

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
  __device__ std::uint64_t nanoseconds() const {
    std::uint64_t time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
  }
  __device__ void fail_assertion(unsigned, const char* text, const char* file, unsigned line, const char* function) {
    __assert_fail(text, file, line, function);  // what nvcc's assert() calls with the C library of GNU
  }

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

  // wgmma is there on compute capability 9.0 alone, in code for sm_90a.
  template <Format kFormat>
  static constexpr __device__ bool by_warpgroup() {
    return kFormat == Format::fp8 && kHopper;
  }
  template <Format kFormat>
  __device__ void show_to_multipliers() {
    if constexpr (by_warpgroup<kFormat>()) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __device__ void multiply_by_warpgroup(Lanes<float> (&sums)[4][4], const std::uint32_t* a, const std::uint32_t* b) {
    constexpr unsigned kCoresOfStep = 2;  // 32 bytes of a row
    std::uint64_t rows = matrix_descriptor(a);
    std::uint64_t columns = matrix_descriptor(b);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    CUTOPSY_UNROLL
    for (unsigned step = 0; step < kTileSteps; ++step) {
      asm volatile(
          "wgmma.mma_async.sync.aligned.m64n32k32.f32.e4m3.e4m3 "
          "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}, %16, %17, 1, 1, 1;"
          : CUTOPSY_SUMS
          : "l"(rows), "l"(columns));
      rows += kCoresOfStep * kCoreBytes / 16;
      columns += kCoresOfStep * kCoreBytes / 16;
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" : CUTOPSY_SUMS : : "memory");
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
  // Of core matrices without swizzling. In units of 16 bytes: where they begin, in bits 0 to 13; from one to the next
  // in a row, in bits 16 to 29; from 8 rows to the next 8, in bits 32 to 45.
  static __device__ std::uint64_t matrix_descriptor(const std::uint32_t* tile) {
    const std::uint64_t begin = __cvta_generic_to_shared(tile);
    return (begin & 0x3FFFF) >> 4 | std::uint64_t{kCoreBytes / 16} << 16 | std::uint64_t{kCoreRowBytes / 16} << 32;
  }

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  static constexpr bool kHopper = true;
#else
  static constexpr bool kHopper = false;
#endif
  // What the code is compiled for: 100 * major + 10 * minor. Text for older drivers has no mma instructions.
#if defined(__CUDA_ARCH__) && !defined(CUTOPSY_LOWERED)
  static constexpr int kArchitecture = __CUDA_ARCH__;
#else
  static constexpr int kArchitecture = 500;
#endif
};

#undef CUTOPSY_SUMS
#undef CUTOPSY_SUMS_OF

}  // namespace cutopsy::kernels
