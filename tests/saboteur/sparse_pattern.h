// Gibibytes of memory pattern at the price of what is looked at: the kernels that write and compare it work on the
// first and the last page of each launch and on pages that something else touched; of the others the product is told
// that they were compared. What it is told is true as long as nothing but these kernels touches them.
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

  // What a launch left in its area.
  struct Content {
    Area area;
    Launch fill;
  };

  cuda::Result fill(const Launch& launch, const Area& area);
  cuda::Result compare(const Launch& launch, const Area& area, bool inverts);
  // The parts of an area that are worked on.
  std::vector<Area> parts_of(const Area& area) const;
  cuda::Result count_as_compared(const Launch& launch, std::uint64_t words);

  const CudaDriver& driver_;
  std::vector<Content> contents_;    // the latest last
  std::set<cuda::Address> touched_;  // where their pages begin
};

}  // namespace cutopsy::saboteur
