// The kernels as plain C++: one function for each, found by name and run on the CPU.
//
// Tests and the simulated driver run them; product code never does. Every load, store and result of a body passes
// through a HostFaults, which is where a test makes memory or arithmetic go wrong. Blocks run one after the other on
// the caller's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace cutopsy::kernels {

struct LaunchShape {
  unsigned grid = 1;             ///< blocks
  unsigned block = 1;            ///< threads in a block
  std::size_t shared_bytes = 0;  ///< dynamic shared memory of a block
};

/// The leaves of a body. The defaults are those of a healthy device.
class HostFaults {
 public:
  virtual ~HostFaults() = default;
  /// Writes to or reads from device memory, at most 16 bytes at once. Atomics are one load and one store.
  virtual void store(void* address, const void* value, std::size_t bytes) { std::memcpy(address, value, bytes); }
  virtual void load(const void* address, void* value, std::size_t bytes) { std::memcpy(value, address, bytes); }
  /// The multiprocessor on which a block runs.
  virtual unsigned sm_of(unsigned block) { return block; }
  /// What an arithmetic result becomes on that multiprocessor.
  virtual std::uint64_t computed(std::uint64_t result_bits, unsigned sm) {
    static_cast<void>(sm);
    return result_bits;
  }
};

struct HostKernel {
  std::string_view name;  ///< as cuModuleGetFunction takes it
  /// `arguments` as cuLaunchKernel takes them: one pointer to each argument.
  void (*run)(const LaunchShape& shape, void** arguments, HostFaults& faults) = nullptr;
  std::span<const std::size_t> argument_bytes;  ///< the size of each argument, in order
  unsigned max_threads = 0;                     ///< the kernel's launch bound
};

/// Every kernel of kernel_image() (image.h), whether or not this build has a CUDA compiler.
std::span<const HostKernel> host_kernels();

}  // namespace cutopsy::kernels
