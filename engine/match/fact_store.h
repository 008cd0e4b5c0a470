// The facts of one input: repeats folded, and bounded whatever the log holds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/event.h"

namespace cutopsy {

class FactStore {
 public:
  /// Keeps `fact`. Of equal ones (name, value, host, rank, GPU) one is kept, with the place of the last: what counts of
  /// an outcome or exit code is whether one comes after a fault.
  void add(Fact fact);

  /// All facts, in order of first appearance. The store is empty afterwards.
  std::vector<Fact> take();

  /// How many were lost, since a bound was reached. The first of a name and the latest stay.
  std::uint64_t dropped() const { return dropped_; }

  static constexpr std::size_t kMaxOfName = 1024;     ///< facts of one name: each rank of a job can tell its GPU
  static constexpr std::size_t kMaxValueBytes = 256;  ///< of a version, model or count: longer ones are no such thing

 private:
  struct OfName {
    std::size_t size = 0;
    std::size_t last = 0;  // index in facts_
  };

  std::vector<Fact> facts_;
  std::unordered_map<std::string, std::size_t> known_;  // key -> index in facts_
  std::unordered_map<std::string_view, OfName> of_name_;
  std::uint64_t dropped_ = 0;
};

}  // namespace cutopsy
