// Tells cheaply that a literal does not stand in a text, when one text is asked for many literals.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cutopsy {

/// Remembers which pairs of neighbouring bytes a text holds (some share a bit).
class PairFilter {
 public:
  explicit PairFilter(std::string_view text) {
    for (std::size_t i = 1; i < text.size(); ++i) {
      const std::size_t bit = bit_of(text[i - 1], text[i]);
      bits_[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
  }

  /// False only when `literal` does not stand in the text.
  bool may_hold(std::string_view literal) const {
    for (std::size_t i = literal.size(); i-- > 1;) {  // ends differ more than beginnings
      const std::size_t bit = bit_of(literal[i - 1], literal[i]);
      if ((bits_[bit / 64] >> bit % 64 & 1) == 0) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kBits = 4096;
  static std::size_t bit_of(char left, char right) {
    return (static_cast<unsigned char>(left) * 64U ^ static_cast<unsigned char>(right)) % kBits;
  }

  std::array<std::uint64_t, kBits / 64> bits_{};
};

}  // namespace cutopsy
