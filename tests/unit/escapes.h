// The escapes with which tables of tests keep a log in one row.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace cutopsy {

/// Undoes \\ \n \r \t \x1b and \x07; other backslashes stand for themselves.
inline std::string unescape(std::string_view escaped) {
  constexpr std::array<std::pair<std::string_view, char>, 6> kEscapes{
      {{"\\\\", '\\'}, {"\\n", '\n'}, {"\\r", '\r'}, {"\\t", '\t'}, {"\\x1b", '\x1b'}, {"\\x07", '\x07'}}};
  std::string text;
  while (!escaped.empty()) {
    const auto escape =
        std::ranges::find_if(kEscapes, [&](const auto& entry) { return escaped.starts_with(entry.first); });
    const bool found = escape != kEscapes.end();
    text += found ? escape->second : escaped[0];
    escaped.remove_prefix(found ? escape->first.size() : 1);
  }
  return text;
}

}  // namespace cutopsy
