// The driver interface that validators/cuda_abi.h declares is the one of the toolkit's cuda.h, where there is one.
#include "validators/cuda_abi.h"

#include <gtest/gtest.h>

#if __has_include(<cuda.h>)

// With this, cuda.h declares every frozen symbol under its own name instead of renaming old ones to newer versions.
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>
// The one symbol that it then leaves out; its arguments are those of the first version.
#define cuDeviceGetUuid_v2 cuDeviceGetUuid

#include <cstddef>
#include <type_traits>

namespace cutopsy::cuda {
namespace {

template <typename Ours, typename Theirs>
constexpr bool same_in_memory() {
  if constexpr (std::is_pointer_v<Ours>) {
    return std::is_pointer_v<Theirs>;
  } else {
    constexpr auto whole = [](auto type) {
      using Type = typename decltype(type)::type;
      return std::is_integral_v<Type> || std::is_enum_v<Type>;
    };
    return whole(std::type_identity<Ours>{}) && whole(std::type_identity<Theirs>{}) && sizeof(Ours) == sizeof(Theirs);
  }
}

template <typename Ours, typename Theirs>
struct Same : std::false_type {};
template <typename... Ours, typename... Theirs>
requires(sizeof...(Ours) == sizeof...(Theirs)) struct Same<Result(Ours...), CUresult(Theirs...)>
    : std::bool_constant<(same_in_memory<Ours, Theirs>() && ...) && sizeof(Result) == sizeof(CUresult)> {
};

#define CUTOPSY_COMPARE(symbol, required, ...) \
  static_assert(Same<entry::symbol, std::remove_reference_t<decltype(::symbol)>>::value, #symbol);
CUTOPSY_CUDA_ENTRY_POINTS(CUTOPSY_COMPARE)
#undef CUTOPSY_COMPARE

static_assert(!Same<Result(int*), CUresult(int)>::value && !Same<Result(int), CUresult(std::size_t)>::value &&
                  !Same<Result(int), CUresult(int, int)>::value,
              "the comparison itself can fail");

static_assert(sizeof(Uuid) == sizeof(CUuuid));
static_assert(sizeof(MemoryProperties) == sizeof(CUmemAllocationProp_v1));
static_assert(offsetof(MemoryProperties, handle_types) == offsetof(CUmemAllocationProp_v1, requestedHandleTypes));
static_assert(offsetof(MemoryProperties, location_type) == offsetof(CUmemAllocationProp_v1, location));
static_assert(offsetof(MemoryProperties, flags) == offsetof(CUmemAllocationProp_v1, allocFlags));
static_assert(sizeof(MulticastProperties) == sizeof(CUmulticastObjectProp_v1));
static_assert(offsetof(MulticastProperties, handle_types) == offsetof(CUmulticastObjectProp_v1, handleTypes));

struct Pair {
  long ours;
  long theirs;
};

template <typename Ours, typename Theirs>
constexpr Pair pair(Ours ours, Theirs theirs) {
  return {static_cast<long>(ours), static_cast<long>(theirs)};
}

TEST(CudaAbi, HasTheValuesOfTheToolkit) {
  const Pair kValues[] = {
      pair(kSuccess, CUDA_SUCCESS),
      pair(kInvalidValue, CUDA_ERROR_INVALID_VALUE),
      pair(kOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY),
      pair(kNotInitialized, CUDA_ERROR_NOT_INITIALIZED),
      pair(kDeviceUnavailable, CUDA_ERROR_DEVICE_UNAVAILABLE),
      pair(kNoDevice, CUDA_ERROR_NO_DEVICE),
      pair(kInvalidDevice, CUDA_ERROR_INVALID_DEVICE),
      pair(kNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU),
      pair(kEccUncorrectable, CUDA_ERROR_ECC_UNCORRECTABLE),
      pair(kInvalidPtx, CUDA_ERROR_INVALID_PTX),
      pair(kJitCompilerNotFound, CUDA_ERROR_JIT_COMPILER_NOT_FOUND),
      pair(kUnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION),
      pair(kJitCompilationDisabled, CUDA_ERROR_JIT_COMPILATION_DISABLED),
      pair(kNotFound, CUDA_ERROR_NOT_FOUND),
      pair(kNotReady, CUDA_ERROR_NOT_READY),
      pair(kLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
      pair(kPeerAccessAlreadyEnabled, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED),
      pair(kNotPermitted, CUDA_ERROR_NOT_PERMITTED),
      pair(kNotSupported, CUDA_ERROR_NOT_SUPPORTED),
      pair(DeviceAttribute::max_threads_per_block, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
      pair(DeviceAttribute::max_shared_memory_per_block, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK),
      pair(DeviceAttribute::warp_size, CU_DEVICE_ATTRIBUTE_WARP_SIZE),
      pair(DeviceAttribute::max_registers_per_block, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
      pair(DeviceAttribute::multiprocessor_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
      pair(DeviceAttribute::kernel_exec_timeout, CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT),
      pair(DeviceAttribute::integrated, CU_DEVICE_ATTRIBUTE_INTEGRATED),
      pair(DeviceAttribute::compute_mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE),
      pair(DeviceAttribute::ecc_enabled, CU_DEVICE_ATTRIBUTE_ECC_ENABLED),
      pair(DeviceAttribute::l2_cache_bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE),
      pair(DeviceAttribute::compute_capability_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
      pair(DeviceAttribute::compute_capability_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
      pair(DeviceAttribute::cooperative_launch, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH),
      pair(DeviceAttribute::max_shared_memory_per_block_optin, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
      pair(DeviceAttribute::handle_type_fabric_supported, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_FABRIC_SUPPORTED),
      pair(DeviceAttribute::multicast_supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED),
      pair(DeviceAttribute::mps_enabled, CU_DEVICE_ATTRIBUTE_MPS_ENABLED),
      pair(FunctionAttribute::max_threads_per_block, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
      pair(FunctionAttribute::shared_bytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
      pair(FunctionAttribute::local_bytes, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
      pair(FunctionAttribute::registers, CU_FUNC_ATTRIBUTE_NUM_REGS),
      pair(FunctionAttribute::ptx_version, CU_FUNC_ATTRIBUTE_PTX_VERSION),
      pair(FunctionAttribute::binary_version, CU_FUNC_ATTRIBUTE_BINARY_VERSION),
      pair(FunctionAttribute::max_dynamic_shared_bytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES),
      pair(PeerAttribute::performance_rank, CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK),
      pair(PeerAttribute::access_supported, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED),
      pair(PeerAttribute::native_atomic_supported, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED),
      pair(JitOption::error_log_buffer, CU_JIT_ERROR_LOG_BUFFER),
      pair(JitOption::error_log_buffer_bytes, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES),
      pair(kMemoryPinned, CU_MEM_ALLOCATION_TYPE_PINNED),
      pair(kLocationDevice, CU_MEM_LOCATION_TYPE_DEVICE),
      pair(kHandleFabric, CU_MEM_HANDLE_TYPE_FABRIC),
      pair(kEventDisableTiming, CU_EVENT_DISABLE_TIMING),
      pair(kStreamNonBlocking, CU_STREAM_NON_BLOCKING),
      pair(kHostAllocPortable, CU_MEMHOSTALLOC_PORTABLE),
  };
  int row = 0;
  for (const Pair& value : kValues) EXPECT_EQ(value.ours, value.theirs) << "row " << row++;
}

}  // namespace
}  // namespace cutopsy::cuda

#else

TEST(CudaAbi, HasTheValuesOfTheToolkit) {
  GTEST_SKIP() << "no cuda.h here to compare with";
}

#endif
