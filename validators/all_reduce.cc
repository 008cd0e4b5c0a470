#include "validators/all_reduce.h"

#include <bit>

namespace cutopsy {

namespace {

constexpr std::uint32_t kExact = 1U << 24;  // float holds whole numbers up to here

float sum_at(std::size_t place, unsigned ranks) {
  float sum = 0;
  for (unsigned rank = 0; rank < ranks; ++rank) sum += contribution(rank, ranks, place);
  return sum;
}

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

}  // namespace

float contribution(unsigned rank, unsigned ranks, std::size_t place) {
  // splitmix64's finaliser: neighbours in rank and place have nothing in common.
  std::uint64_t bits = (std::uint64_t{rank} << 48) ^ place;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
  bits ^= bits >> 31;
  return static_cast<float>(1 + bits % (kExact / ranks - 1));  // never 0: a part that is missing shows
}

std::optional<WrongSum> wrong_sum(const std::vector<float>& sums, unsigned ranks) {
  WrongSum wrong;
  for (std::size_t place = 0; place < sums.size(); ++place) {
    const float expected = sum_at(place, ranks);
    if (same_bits(sums[place], expected)) continue;
    if (wrong.count++ > 0) continue;
    wrong.first = place;
    wrong.is = sums[place];
    wrong.should_be = expected;
    for (unsigned rank = 0; rank < ranks && !wrong.missing_rank; ++rank) {
      if (same_bits(sums[place] + contribution(rank, ranks, place), expected)) wrong.missing_rank = rank;
    }
  }
  return wrong.count == 0 ? std::nullopt : std::optional(wrong);
}

}  // namespace cutopsy
