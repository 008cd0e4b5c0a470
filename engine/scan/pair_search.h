// Finds literals without the compilation that libhs needs: each is looked for where its rarest pair of bytes stands.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scan/chunk_hits.h"

namespace cutopsy {

/// Immutable; safe to use from several threads.
class PairSearch {
 public:
  /// `literals`: as for LiteralScanner; they must stay where they are.
  explicit PairSearch(const std::vector<std::string>& literals);

  /// Calls `on_hit(ChunkHits::Hit)` for every place where a literal stands in `text`.
  template <typename OnHit>
  void search(std::string_view text, OnHit on_hit) const {
    for (std::size_t i = 1; i < text.size(); ++i) {
      const std::size_t pair = number_of(text[i - 1], text[i]);
      for (std::size_t j = begin_[pair]; j < begin_[pair + 1]; ++j) {
        const Place place = places_[j];
        if (i <= place.offset || text[i - 1 - place.offset] != place.first) continue;
        const std::string& literal = literals_[place.id];
        const std::size_t begin = i - 1 - place.offset;
        if (text.compare(begin, literal.size(), literal) == 0) on_hit(ChunkHits::Hit{begin + literal.size(), place.id});
      }
    }
  }

 private:
  struct Place {
    LiteralId id = 0;
    std::uint8_t offset = 0;  // of the pair in the literal
    char first = '\0';        // of the literal
  };

  static constexpr std::size_t kNumbers = 128 * 128;
  static std::size_t number_of(char left, char right) {  // only pairs beyond ASCII share one
    return left % 128U * 128 + right % 128U;
  }

  const std::vector<std::string>& literals_;
  std::vector<Place> places_;                           // by the number of the pair
  std::array<std::uint16_t, kNumbers + 1> begin_ = {};  // of each number in places_
};

}  // namespace cutopsy
