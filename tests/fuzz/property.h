// What a fuzz target says must hold for every input.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace cutopsy {

/// Ends the process when `holds` is false, which libFuzzer keeps as a finding; `what` is the sentence that was broken.
inline void require(bool holds, std::string_view what, std::string_view detail = {}) {
  if (holds) return;
  std::fprintf(stderr, "broken property: %.*s\n%.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

/// The same, with both texts shown.
inline void require_equal(std::string_view left, std::string_view right, std::string_view what) {
  if (left != right) require(false, what, std::string(left) + "\n---- and not ----\n" + std::string(right));
}

inline std::string_view bytes_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Calls `see` for each line, without its '\n'.
template <typename See>
void for_each_line_of(std::string_view text, const See& see) {
  std::uint64_t number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    see(line, ++number);
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : line.size());
  }
}

}  // namespace cutopsy
