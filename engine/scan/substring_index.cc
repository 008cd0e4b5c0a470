#include "engine/scan/substring_index.h"

#include <cstddef>

namespace cutopsy {
namespace {

constexpr std::size_t kPairs = 1U << 16U;

std::size_t pair_at(std::string_view text, std::size_t i) {
  return static_cast<std::size_t>(static_cast<unsigned char>(text[i])) << 8U | static_cast<unsigned char>(text[i + 1]);
}

}  // namespace

SubstringIndex::SubstringIndex(std::span<const std::string_view> texts) : begin_(kPairs + 1) {
  for (std::string_view text : texts)
    for (std::size_t i = 0; i + 1 < text.size(); ++i) ++begin_[pair_at(text, i) + 1];
  for (std::size_t pair = 0; pair < kPairs; ++pair) begin_[pair + 1] += begin_[pair];
  numbers_.resize(begin_.back());
  std::vector<std::uint32_t> end(begin_.begin(), begin_.end() - 1);
  for (std::uint32_t number = 0; number < texts.size(); ++number) {
    for (std::size_t i = 0; i + 1 < texts[number].size(); ++i) {
      const std::size_t pair = pair_at(texts[number], i);
      const bool is_known = end[pair] > begin_[pair] && numbers_[end[pair] - 1] == number;
      if (!is_known) numbers_[end[pair]++] = number;
    }
  }
  // A text that holds a pair twice left a gap behind the pair's numbers.
  std::uint32_t to = 0;
  for (std::size_t pair = 0; pair < kPairs; ++pair) {
    const std::uint32_t from = begin_[pair];
    begin_[pair] = to;
    for (std::uint32_t i = from; i < end[pair]; ++i) numbers_[to++] = numbers_[i];
  }
  begin_.back() = to;
  numbers_.resize(to);
}

std::span<const std::uint32_t> SubstringIndex::that_may_hold(std::string_view part) const {
  std::span<const std::uint32_t> fewest;
  for (std::size_t i = 0; i + 1 < part.size(); ++i) {
    const std::size_t pair = pair_at(part, i);
    const auto holders = std::span(numbers_).subspan(begin_[pair], begin_[pair + 1] - begin_[pair]);
    if (i == 0 || holders.size() < fewest.size()) fewest = holders;
  }
  return fewest;
}

}  // namespace cutopsy
