// Words of a line that blanks set off.
#pragma once

#include <algorithm>
#include <string_view>

namespace cutopsy {

/// Takes the next word off the front of `rest`, with the blanks before it; "" when there is none.
inline std::string_view take_word(std::string_view& rest) {
  const std::size_t begin = std::min(rest.find_first_not_of(' '), rest.size());
  const std::size_t end = std::min(rest.find(' ', begin), rest.size());
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

}  // namespace cutopsy
