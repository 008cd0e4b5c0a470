// Finds, among many short texts, those that may hold a piece of text.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace cutopsy {

/// The texts by the pairs of neighbouring bytes that they hold: few hold any one pair. Immutable.
class SubstringIndex {
 public:
  /// Of each text only the number is kept, its place in `texts`.
  explicit SubstringIndex(std::span<const std::string_view> texts);

  /// The numbers, in ascending order, of all texts that hold `part` (2 bytes or more), and of some that do not.
  std::span<const std::uint32_t> that_may_hold(std::string_view part) const;

 private:
  std::vector<std::uint32_t> begin_;  // by pair: where its numbers begin
  std::vector<std::uint32_t> numbers_;
};

}  // namespace cutopsy
