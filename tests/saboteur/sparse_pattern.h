// Gibibytes of memory pattern at the price of what is looked at: the kernels that write and compare it work only on
// real pages, which are the first and the last of each launch and those that something else touched. Of the rest the
// product is told that it was compared. A page that becomes real gets what all launches so far would have left in it.
//
// For tests on a simulated driver, where a pass over 4 GiB would take a minute and as much memory.
#pragma once

#include <set>
#include <string_view>
#include <vector>

#include "kernels/memory_pattern.h"
#include "tests/saboteur/launch.h"

namespace cutopsy::saboteur {

class SparsePattern {
 public:
  explicit SparsePattern(const CudaDriver& driver) : driver_(driver) {}

  /// Whether the kernel is one that launch() is for.
  static bool knows(std::string_view kernel);
  cuda::Result launch(const Launch& launch);
  /// To be told of an address before anything else reads or writes the word there.
  void touch(cuda::Address address);

 private:
  using Area = kernels::PatternArea;

  void make_real(cuda::Address page);
  // The parts of an area that are real.
  std::vector<Area> parts_of(const Area& area) const;
  cuda::Result count_as_compared(const Launch& launch, std::uint64_t words);

  const CudaDriver& driver_;
  Launch fill_{};                 // the latest
  std::vector<Area> contents_;    // what launches left, the latest last
  std::set<cuda::Address> real_;  // where the pages begin
};

}  // namespace cutopsy::saboteur
