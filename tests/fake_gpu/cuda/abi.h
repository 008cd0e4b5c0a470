// What a program and libcuda agree on, as far as the simulated one takes part: numbers and shapes of cuda.h.
//
// Source: CUDA driver API reference, https://docs.nvidia.com/cuda/cuda-driver-api/. Handles are pointers to the
// simulator's own objects.
#pragma once

#include <cstdint>

namespace cutopsy::fake {

/// CUresult, by its number; the names are those of cuda.h without CUDA_ERROR_.
namespace status {
enum : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  device_unavailable = 46,
  no_device = 100,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  ecc_uncorrectable = 214,
  peer_access_unsupported = 217,
  invalid_ptx = 218,
  unsupported_ptx_version = 222,
  jit_compilation_disabled = 223,
  invalid_handle = 400,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_timeout = 702,
  peer_access_already_enabled = 704,
  peer_access_not_enabled = 705,
  failed_assertion = 710,
  host_memory_not_registered = 713,
  misaligned_address = 716,
  not_supported = 801,
  unknown = 999,
};
}  // namespace status

using CUdevice = int;
using CUdeviceptr = unsigned long long;

struct CUuuid {
  unsigned char bytes[16];
};

/// CUdevice_attribute.
namespace attribute {
enum : int {
  max_threads_per_block = 1,
  max_shared_memory_per_block = 8,
  kernel_exec_timeout = 17,
  multiprocessor_count = 16,
  integrated = 18,
  compute_mode = 20,
  ecc_enabled = 32,
  pci_bus_id = 33,
  pci_device_id = 34,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  max_shared_memory_per_multiprocessor = 81,
  pci_domain_id = 50,
  max_shared_memory_per_block_optin = 97,
};
}  // namespace attribute

/// CUfunction_attribute.
namespace function_attribute {
enum : int {
  max_threads_per_block = 0,
  shared_size_bytes = 1,
  num_regs = 4,
  ptx_version = 5,
  binary_version = 6,
  max_dynamic_shared_size_bytes = 8,
};
}  // namespace function_attribute

/// CUdevice_P2PAttribute.
namespace p2p_attribute {
enum : int { performance_rank = 1, access_supported = 2, native_atomic_supported = 3, cuda_array_access_supported = 4 };
}  // namespace p2p_attribute

/// CUjit_option, as far as it is answered.
namespace jit_option {
enum : int { info_log_buffer = 3, info_log_buffer_size = 4, error_log_buffer = 5, error_log_buffer_size = 6 };
}  // namespace jit_option

}  // namespace cutopsy::fake

/// A function that programs find in the library.
#define CUTOPSY_EXPORT extern "C" __attribute__((visibility("default")))
