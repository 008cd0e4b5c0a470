#include "engine/scan/chunk_hits.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace cutopsy {

void ChunkHits::clear() {
  bytes_ = {};
}

void ChunkHits::keep(std::string_view bytes, std::vector<Hit> hits) {
  bytes_ = bytes;
  hits_ = std::move(hits);
  if (!std::ranges::is_sorted(hits_, {}, &Hit::end)) std::ranges::sort(hits_, {}, &Hit::end);
}

bool ChunkHits::literals_in(std::string_view text, const std::vector<std::string>& literals,
                            std::vector<LiteralId>& found) const {
  const std::less_equal<const char*> precedes;
  const bool is_piece = !text.empty() && !bytes_.empty() && precedes(bytes_.data(), text.data()) &&
                        precedes(text.data() + text.size(), bytes_.data() + bytes_.size());
  if (!is_piece) return false;
  found.clear();
  const auto begin = static_cast<std::size_t>(text.data() - bytes_.data());
  auto hit = std::ranges::upper_bound(hits_, begin, {}, &Hit::end);
  for (; hit != hits_.end() && hit->end <= begin + text.size(); ++hit) {
    if (hit->end - begin >= literals[hit->id].size()) found.push_back(hit->id);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return true;
}

}  // namespace cutopsy
