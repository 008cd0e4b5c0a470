// The memory cells of a simulated GPU and what can be wrong with them.
//
// Offsets count bytes from the start of the device's memory. Faults are told for aligned words of eight bytes.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/fake_gpu/scenario.h"

namespace cutopsy::fake {

/// Thrown by an access that the device answers with an error instead of data: a CUresult.
struct DeviceException {
  int status;
};

class Cells {
 public:
  /// `memory` is where the device's memory lies in this process; `gpu` names the faults (README.md, "Memory faults").
  Cells(std::byte* memory, const Scenario::Section& gpu);

  void load(std::uint64_t offset, void* value, std::size_t bytes);
  void store(std::uint64_t offset, const void* value, std::size_t bytes);

 private:
  enum class Kind { stuck, flip, flip_once, misread_once, misread_cached, disturbed, uncorrectable };
  struct Fault {
    Kind kind;
    std::uint64_t offset;
    std::uint64_t mask;
    std::uint64_t value;
    bool spent = false;
    std::uint64_t last_load = 0;  // traffic by then
  };

  void add(const Scenario::Section& gpu, const char* key, Kind kind);
  std::uint64_t load_word(std::uint64_t offset);
  void disturb_neighbours(std::uint64_t offset, std::uint64_t word);
  bool still_cached(Fault& fault);
  void store_word(std::uint64_t offset, std::uint64_t word);
  std::byte* at(std::uint64_t offset) const { return memory_ + (offset & address_lines_); }

  std::byte* memory_;
  std::uint64_t address_lines_ = ~0ULL;  // a dead line reads as zero: two addresses reach one cell
  std::vector<Fault> faults_;
  std::uint64_t cache_bytes_ = 0;
  std::uint64_t traffic_ = 0;  // bytes loaded; counted where there are faults
};

}  // namespace cutopsy::fake
