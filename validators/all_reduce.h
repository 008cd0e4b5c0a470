// Numbers whose sum over all ranks is known to the last bit, and what is wrong with a result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace cutopsy {

/// What rank `rank` of `ranks` gives at a place: a whole number, so small that every order of summing is exact in
/// float.
float contribution(unsigned rank, unsigned ranks, std::size_t place);

struct WrongSum {
  std::size_t count = 0;                 ///< values that differ
  std::size_t first = 0;                 ///< the place of the first one
  float is = 0, should_be = 0;           ///< there
  std::optional<unsigned> missing_rank;  ///< the sum would be right without this rank's part
};

/// Compares bits; no value when all are right.
std::optional<WrongSum> wrong_sum(const std::vector<float>& sums, unsigned ranks);

}  // namespace cutopsy
