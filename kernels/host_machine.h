// The machine of a kernel body on the CPU, and every kernel as a function that is found by name.
//
// Tests and the simulated driver run them; product code never does. Every load, store and result of a body passes
// through a HostFaults, which is where a test makes memory or arithmetic go wrong. Blocks run one after the other on
// the caller's thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kernels/host_mma.h"
#include "kernels/machine.h"

namespace cutopsy::kernels {

struct LaunchShape {
  unsigned grid = 1;             ///< blocks
  unsigned block = 1;            ///< threads in a block
  std::size_t shared_bytes = 0;  ///< dynamic shared memory of a block
};

/// The leaves of a body: what a fault can change. The defaults are those of a healthy device.
class HostFaults {
 public:
  virtual ~HostFaults() = default;
  /// Writes to or reads from device memory, at most 16 bytes at once. Atomics are one load and one store.
  virtual void store(void* address, const void* value, std::size_t bytes) { std::memcpy(address, value, bytes); }
  virtual void load(const void* address, void* value, std::size_t bytes) { std::memcpy(value, address, bytes); }
  /// A read of shared memory, at a place counted in bytes; `value` is what is there.
  virtual void load_shared(std::size_t offset, void* value, std::size_t bytes, unsigned sm) {
    static_cast<void>(offset), static_cast<void>(value), static_cast<void>(bytes), static_cast<void>(sm);
  }
  /// The multiprocessor on which a block runs.
  virtual unsigned sm_of(unsigned block) { return block; }
  /// What an arithmetic result becomes on that multiprocessor.
  virtual std::uint64_t computed(std::uint64_t result_bits, unsigned sm) {
    static_cast<void>(sm);
    return result_bits;
  }
  virtual std::uint64_t nanoseconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
  }
  /// An assertion that failed, in the words in which a driver prints it. Must not return.
  virtual void fail_assertion(const std::string& printed) { throw std::logic_error(printed); }
};

/// One block. Each phase runs the block's threads one after the other.
class HostMachine {
 public:
  HostMachine(const LaunchShape& shape, unsigned block, HostFaults& faults)
      : shape_(shape), block_(block), faults_(faults), shared_(shape.shared_bytes / sizeof(Quad) + 1) {}

  unsigned block() const { return block_; }
  unsigned grid() const { return shape_.grid; }
  unsigned threads() const { return shape_.block; }
  unsigned sm() const { return faults_.sm_of(block_); }

  template <typename Phase>
  void each(Phase phase) {
    for (unsigned thread = 0; thread < shape_.block; ++thread) phase(thread);
  }
  void sync() {}
  void reload() {}
  std::uint64_t nanoseconds() { return faults_.nanoseconds(); }
  void fail_assertion(unsigned thread, const char* text, const char* file, unsigned line, const char* function) {
    faults_.fail_assertion(std::string(file) + ":" + std::to_string(line) + ": " + function + ": block: [" +
                           std::to_string(block_) + ",0,0], thread: [" + std::to_string(thread) + ",0,0] Assertion `" +
                           text + "` failed.");
  }

  template <typename T>
  using Lanes = HostLanes<T>;
  template <typename Phase>
  void each_warp(Phase phase) {
    for (unsigned warp = 0; warp < shape_.block / 32; ++warp) phase(warp);
  }
  template <typename Phase>
  void each_lane(Phase phase) {
    for (unsigned lane = 0; lane < 32; ++lane) phase(lane);
  }
  template <Format>
  static constexpr bool multiplies() {
    return true;
  }
  template <Format kFormat>
  void multiply_accumulate(Lanes<float> (&sums)[4], const Lanes<std::uint32_t> (&a)[4],
                           const Lanes<std::uint32_t> (&b)[2]) {
    multiply_on_host<kFormat>(sums, a, b);
  }

  template <Format>
  static constexpr bool by_warpgroup() {
    return false;
  }
  template <Format>
  void show_to_multipliers() {}

  template <typename T>
  T* shared() {
    return reinterpret_cast<T*>(shared_.data());
  }

  template <typename T>
  T load_shared(const T* address) {
    T value = *address;
    const auto offset = reinterpret_cast<const char*>(address) - reinterpret_cast<const char*>(shared_.data());
    faults_.load_shared(static_cast<std::size_t>(offset), &value, sizeof value, sm());
    return value;
  }
  template <typename T>
  void store_shared(T* address, T value) {
    *address = value;
  }

  template <typename T>
  T load(const T* address) {
    T value;
    faults_.load(address, &value, sizeof value);
    return value;
  }
  template <typename T>
  void store(T* address, T value) {
    faults_.store(address, &value, sizeof value);
  }
  std::uint64_t load_anew(const std::uint64_t* address) { return load(address); }
  Quad load_once(const Quad* address) { return load(address); }
  void store_once(Quad* address, Quad value) { store(address, value); }

  void add(std::uint64_t* address, std::uint64_t value) { take(address, value); }
  void either(std::uint64_t* address, std::uint64_t value) { store(address, load(address) | value); }
  std::uint64_t take(std::uint64_t* address, std::uint64_t value) {
    const std::uint64_t before = load(address);
    store(address, before + value);
    return before;
  }

  template <typename T>
  T computed(T value) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = faults_.computed(bits, sm());
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }

 private:
  const LaunchShape& shape_;
  unsigned block_;
  HostFaults& faults_;
  std::vector<Quad> shared_;
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
