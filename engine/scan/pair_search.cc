#include "engine/scan/pair_search.h"

#include <algorithm>

namespace cutopsy {

namespace {

constexpr std::size_t kMaxOffset = 255;

}  // namespace

PairSearch::PairSearch(const std::vector<std::string>& literals) : literals_(literals) {
  std::vector<std::uint32_t> common(kNumbers);  // how many literals hold the pair: rare here is rare in logs
  for (const std::string& literal : literals) {
    for (std::size_t i = 1; i < literal.size(); ++i) ++common[number_of(literal[i - 1], literal[i])];
  }
  std::vector<std::vector<Place>> places(kNumbers);
  for (std::size_t id = 0; id < literals.size(); ++id) {
    const std::string& literal = literals[id];
    const auto number_at = [&](std::size_t offset) { return number_of(literal[offset], literal[offset + 1]); };
    std::size_t rarest = 0;
    for (std::size_t offset = 1; offset + 1 < std::min(literal.size(), kMaxOffset); ++offset) {
      if (common[number_at(offset)] < common[number_at(rarest)]) rarest = offset;
    }
    places[number_at(rarest)].push_back({static_cast<LiteralId>(id), static_cast<std::uint8_t>(rarest), literal[0]});
  }
  for (std::size_t number = 0; number < kNumbers; ++number) {
    places_.insert(places_.end(), places[number].begin(), places[number].end());
    begin_[number + 1] = static_cast<std::uint16_t>(places_.size());
  }
}

}  // namespace cutopsy
