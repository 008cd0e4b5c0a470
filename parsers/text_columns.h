// How wide a text is on a terminal, near enough: UTF-8 code points.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace cutopsy {

inline std::size_t columns_of(std::string_view text) {
  return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

}  // namespace cutopsy
