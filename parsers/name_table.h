// Finds a name among a few that are known when compiling.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace cutopsy {

/// Open addressing by length and ends: most names that are not among the `N` are told apart without a comparison.
template <std::size_t N>
class NameTable {
 public:
  /// `names`: distinct, none empty.
  consteval explicit NameTable(const std::array<std::string_view, N>& names) : names_(names) {
    static_assert(N < kSlots / 2);
    for (std::size_t i = 0; i < N; ++i) {
      std::size_t slot = slot_of(names[i]);
      while (slots_[slot] != 0) slot = (slot + 1) % kSlots;
      slots_[slot] = static_cast<std::uint8_t>(i + 1);
    }
  }

  /// The index of `name` among the names, N when it is none of them.
  constexpr std::size_t find(std::string_view name) const {
    if (name.empty()) return N;
    for (std::size_t slot = slot_of(name); slots_[slot] != 0; slot = (slot + 1) % kSlots) {
      const std::size_t index = slots_[slot] - 1U;
      if (names_[index] == name) return index;
    }
    return N;
  }

 private:
  static constexpr std::size_t kSlots = 64;
  static constexpr std::size_t slot_of(std::string_view name) {
    return (name.size() * 5 + static_cast<unsigned char>(name.front()) + static_cast<unsigned char>(name.back()) * 3U) %
           kSlots;
  }

  std::array<std::string_view, N> names_;
  std::array<std::uint8_t, kSlots> slots_{};  // 1 + index, 0 for none
};

}  // namespace cutopsy
