// The part of the CUDA driver's binary interface that the checks use, declared here so that building needs no toolkit.
//
// Names, values and argument lists are those of cuda.h (CUDA Toolkit, "CUDA Driver API"); cuda_abi_test.cc compares
// them with the toolkit's where there is one. Only symbols whose meaning is frozen are listed: cuCtxCreate, for one,
// takes other arguments in CUDA 13.
#pragma once

#include <cstddef>

namespace cutopsy::cuda {

using Result = int;                  ///< CUresult
using Device = int;                  ///< CUdevice
using Address = unsigned long long;  ///< CUdeviceptr
using Context = struct ContextHandle*;
using Module = struct ModuleHandle*;
using Function = struct FunctionHandle*;
using Event = struct EventHandle*;
using Stream = struct StreamHandle*;

using MemoryHandle = unsigned long long;  ///< CUmemGenericAllocationHandle

struct Uuid {
  unsigned char bytes[16];
};

/// CUmemAllocationProp_v1
struct MemoryProperties {
  int type;           ///< kMemoryPinned
  int handle_types;   ///< kHandleFabric, or 0
  int location_type;  ///< kLocationDevice
  int location;       ///< the device
  void* win32;
  unsigned char flags[8];
};

/// CUmulticastObjectProp_v1
struct MulticastProperties {
  unsigned devices;
  std::size_t bytes;
  unsigned long long handle_types;
  unsigned long long flags;
};

// CUresult: the codes that a check tells apart. The driver itself names all others.
inline constexpr Result kSuccess = 0;
inline constexpr Result kInvalidValue = 1;
inline constexpr Result kOutOfMemory = 2;
inline constexpr Result kNotInitialized = 3;
inline constexpr Result kDeviceUnavailable = 46;  ///< held by another process in exclusive mode
inline constexpr Result kNoDevice = 100;
inline constexpr Result kInvalidDevice = 101;
inline constexpr Result kNoBinaryForGpu = 209;
inline constexpr Result kEccUncorrectable = 214;
inline constexpr Result kInvalidPtx = 218;
inline constexpr Result kJitCompilerNotFound = 221;
inline constexpr Result kUnsupportedPtxVersion = 222;
inline constexpr Result kJitCompilationDisabled = 223;
inline constexpr Result kNotFound = 500;
inline constexpr Result kNotReady = 600;
inline constexpr Result kLaunchOutOfResources = 701;
inline constexpr Result kPeerAccessAlreadyEnabled = 704;
inline constexpr Result kNotPermitted = 800;
inline constexpr Result kNotSupported = 801;

/// CUdevice_attribute
enum class DeviceAttribute : int {
  max_threads_per_block = 1,
  max_shared_memory_per_block = 8,
  warp_size = 10,
  max_registers_per_block = 12,
  multiprocessor_count = 16,
  kernel_exec_timeout = 17,
  integrated = 18,
  compute_mode = 20,
  ecc_enabled = 32,
  l2_cache_bytes = 38,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  cooperative_launch = 95,
  max_shared_memory_per_block_optin = 97,
  handle_type_fabric_supported = 128,
  multicast_supported = 132,
  mps_enabled = 133,
};

/// CUfunction_attribute
enum class FunctionAttribute : int {
  max_threads_per_block = 0,
  shared_bytes = 1,
  local_bytes = 3,
  registers = 4,
  ptx_version = 5,
  binary_version = 6,
  max_dynamic_shared_bytes = 8,
};

/// CUdevice_P2PAttribute
enum class PeerAttribute : int {
  performance_rank = 1,
  access_supported = 2,
  native_atomic_supported = 3,
};

/// CUjit_option
enum class JitOption : int {
  error_log_buffer = 5,
  error_log_buffer_bytes = 6,
};

inline constexpr int kMemoryPinned = 1;             ///< CU_MEM_ALLOCATION_TYPE_PINNED
inline constexpr int kLocationDevice = 1;           ///< CU_MEM_LOCATION_TYPE_DEVICE
inline constexpr int kHandleFabric = 8;             ///< CU_MEM_HANDLE_TYPE_FABRIC
inline constexpr unsigned kEventDisableTiming = 2;  ///< CU_EVENT_DISABLE_TIMING
inline constexpr unsigned kStreamNonBlocking = 1;   ///< CU_STREAM_NON_BLOCKING
inline constexpr unsigned kHostAllocPortable = 1;   ///< CU_MEMHOSTALLOC_PORTABLE

}  // namespace cutopsy::cuda

// Every entry point: X(symbol, required, type). A library without a required one is no usable driver; an optional
// one may be missing from an old driver, and then its call answers with CudaStatus::kMissing.
#define CUTOPSY_CUDA_ENTRY_POINTS(X)                                                                                  \
  X(cuInit, true, Result(unsigned flags))                                                                             \
  X(cuDriverGetVersion, true, Result(int* version))                                                                   \
  X(cuGetErrorName, true, Result(Result code, const char** name))                                                     \
  X(cuGetErrorString, true, Result(Result code, const char** text))                                                   \
  X(cuDeviceGetCount, true, Result(int* count))                                                                       \
  X(cuDeviceGet, true, Result(Device* device, int ordinal))                                                           \
  X(cuDeviceGetName, true, Result(char* name, int bytes, Device device))                                              \
  X(cuDeviceGetUuid, false, Result(Uuid* uuid, Device device))                                                        \
  X(cuDeviceGetUuid_v2, false, Result(Uuid* uuid, Device device))                                                     \
  X(cuDeviceGetPCIBusId, true, Result(char* address, int bytes, Device device))                                       \
  X(cuDeviceGetAttribute, true, Result(int* value, DeviceAttribute attribute, Device device))                         \
  X(cuDeviceTotalMem_v2, true, Result(std::size_t* bytes, Device device))                                             \
  X(cuDevicePrimaryCtxRetain, true, Result(Context* context, Device device))                                          \
  X(cuDevicePrimaryCtxRelease_v2, false, Result(Device device))                                                       \
  X(cuCtxSetCurrent, true, Result(Context context))                                                                   \
  X(cuCtxSynchronize, true, Result())                                                                                 \
  X(cuMemGetInfo_v2, true, Result(std::size_t* free, std::size_t* total))                                             \
  X(cuMemAlloc_v2, true, Result(Address* address, std::size_t bytes))                                                 \
  X(cuMemFree_v2, true, Result(Address address))                                                                      \
  X(cuMemHostAlloc, true, Result(void** memory, std::size_t bytes, unsigned flags))                                   \
  X(cuMemFreeHost, true, Result(void* memory))                                                                        \
  X(cuMemcpyHtoD_v2, true, Result(Address to, const void* from, std::size_t bytes))                                   \
  X(cuMemcpyDtoH_v2, true, Result(void* to, Address from, std::size_t bytes))                                         \
  X(cuMemcpyDtoD_v2, true, Result(Address to, Address from, std::size_t bytes))                                       \
  X(cuMemsetD8_v2, true, Result(Address address, unsigned char value, std::size_t bytes))                             \
  X(cuModuleLoadDataEx, true,                                                                                         \
    Result(Module* module, const void* image, unsigned count, JitOption* options, void** values))                     \
  X(cuModuleUnload, true, Result(Module module))                                                                      \
  X(cuModuleGetFunction, true, Result(Function* function, Module module, const char* name))                           \
  X(cuFuncGetAttribute, true, Result(int* value, FunctionAttribute attribute, Function function))                     \
  X(cuFuncSetAttribute, false, Result(Function function, FunctionAttribute attribute, int value))                     \
  X(cuLaunchKernel, true,                                                                                             \
    Result(Function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,  \
           unsigned block_z, unsigned shared_bytes, Stream stream, void** arguments, void** extra))                   \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor, false,                                                               \
    Result(int* blocks, Function function, int threads, std::size_t shared_bytes))                                    \
  X(cuDeviceCanAccessPeer, false, Result(int* can, Device device, Device peer))                                       \
  X(cuDeviceGetP2PAttribute, false, Result(int* value, PeerAttribute attribute, Device from, Device to))              \
  X(cuCtxEnablePeerAccess, false, Result(Context peer, unsigned flags))                                               \
  X(cuMemcpyPeer, false,                                                                                              \
    Result(Address to, Context to_context, Address from, Context from_context, std::size_t bytes))                    \
  X(cuStreamCreate, false, Result(Stream* stream, unsigned flags))                                                    \
  X(cuStreamSynchronize, false, Result(Stream stream))                                                                \
  X(cuStreamDestroy_v2, false, Result(Stream stream))                                                                 \
  X(cuEventCreate, false, Result(Event* event, unsigned flags))                                                       \
  X(cuEventRecord, false, Result(Event event, Stream stream))                                                         \
  X(cuEventQuery, false, Result(Event event))                                                                         \
  X(cuEventElapsedTime, false, Result(float* milliseconds, Event from, Event to))                                     \
  X(cuEventDestroy_v2, false, Result(Event event))                                                                    \
  X(cuMemAddressReserve, false,                                                                                       \
    Result(Address* address, std::size_t bytes, std::size_t alignment, Address wanted, unsigned long long flags))     \
  X(cuMemAddressFree, false, Result(Address address, std::size_t bytes))                                              \
  X(cuMemGetAllocationGranularity, false, Result(std::size_t* bytes, const MemoryProperties* properties, int option)) \
  X(cuMemCreate, false,                                                                                               \
    Result(MemoryHandle* handle, std::size_t bytes, const MemoryProperties* properties, unsigned long long flags))    \
  X(cuMemRelease, false, Result(MemoryHandle handle))                                                                 \
  X(cuMulticastGetGranularity, false, Result(std::size_t* bytes, const MulticastProperties* properties, int option))  \
  X(cuMulticastCreate, false, Result(MemoryHandle* handle, const MulticastProperties* properties))                    \
  X(cuMulticastAddDevice, false, Result(MemoryHandle handle, Device device))

namespace cutopsy::cuda::entry {

// The type of each function under the function's name: cuda::entry::cuInit is Result(unsigned).
#define CUTOPSY_ENTRY_TYPE(symbol, required, ...) using symbol = __VA_ARGS__;
CUTOPSY_CUDA_ENTRY_POINTS(CUTOPSY_ENTRY_TYPE)
#undef CUTOPSY_ENTRY_TYPE

}  // namespace cutopsy::cuda::entry
