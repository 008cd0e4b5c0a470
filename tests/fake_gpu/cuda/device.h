// A simulated GPU as libcuda shows it: its identity, attributes, memory and the faults of its multiprocessors.
//
// Memory is one range of addresses, unreadable for the host. Allocations of 1 MiB or more lie from its bottom upwards,
// smaller ones from its top downwards, so that the first large allocation starts at offset 0. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/fake_gpu/cuda/abi.h"
#include "tests/fake_gpu/cuda/cells.h"
#include "tests/fake_gpu/identity.h"
#include "tests/fake_gpu/scenario.h"

namespace cutopsy::fake {

class Device {
 public:
  /// `index` is its place in the scenario; `visible_uuid` what the process knows it by, "MIG-…" for a part of it.
  Device(const Scenario::Section& gpu, std::size_t index, std::string visible_uuid);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const Scenario::Section& section() const { return gpu_; }
  const Identity& identity() const { return identity_; }
  std::size_t index() const { return index_; }
  const std::string& visible_uuid() const { return visible_uuid_; }
  int compute_capability() const { return 10 * identity_.compute_major + identity_.compute_minor; }
  /// CUdevice_attribute by its number; no value for one that the scenario's driver does not know.
  std::optional<int> attribute(int number) const;

  std::uint64_t free_bytes() const { return identity_.memory_free - taken_; }
  std::optional<std::uint64_t> allocate(std::uint64_t bytes);
  bool release(std::uint64_t address);
  /// Whether all of the range lies in one allocation.
  bool owns(std::uint64_t address, std::uint64_t bytes) const;
  bool in_range(std::uint64_t address) const;
  /// The allocation that holds an address: its start and size.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> allocation(std::uint64_t address) const;

  /// Makes the memory reachable for the simulator, and unreadable again.
  void open() { protect(true); }
  void close() { protect(false); }
  /// Within an allocation, while open. Throw DeviceException.
  void load(std::uint64_t address, void* value, std::size_t bytes) { cells_.load(address - base(), value, bytes); }
  void store(std::uint64_t address, const void* value, std::size_t bytes) {
    cells_.store(address - base(), value, bytes);
  }

  /// The multiprocessor of a block: identifiers have gaps, neighbours may share one when their shared memory allows
  /// it, and each launch begins elsewhere.
  unsigned sm_of(unsigned block, std::size_t shared_bytes, unsigned launch) const;
  /// What a result becomes on a multiprocessor (bad_sm, wrong_results).
  std::uint64_t computed(std::uint64_t bits, unsigned sm) const;
  /// What a word of shared memory reads as (stuck_shared).
  void load_shared(unsigned sm, std::size_t offset, void* value, std::size_t bytes) const;

 private:
  std::uint64_t base() const { return reinterpret_cast<std::uint64_t>(memory_); }
  void protect(bool reachable);

  const Scenario::Section& gpu_;
  Identity identity_;
  std::size_t index_;
  std::string visible_uuid_;
  std::byte* memory_;
  Cells cells_;
  std::map<std::uint64_t, std::uint64_t> allocations_;  // start to size
  std::uint64_t taken_ = 0;
  unsigned sm_count_;
  std::uint64_t bad_sm_ = ~0ULL;
  std::uint64_t bad_sm_mask_ = 1;
  std::uint64_t wrong_results_ = 0;
  std::vector<std::uint64_t> stuck_shared_;  // multiprocessor, offset, mask
};

}  // namespace cutopsy::fake
