// Text without the blanks around it.
#pragma once

#include <string_view>

namespace cutopsy {

/// `text` without bytes of `blanks` at its ends.
constexpr std::string_view trim(std::string_view text, std::string_view blanks = " \t") {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace cutopsy
