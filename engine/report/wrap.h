// Prose for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace cutopsy {

/// Breaks prose at spaces into lines of at most `width` columns, each behind `indent` and ended by '\n'; words longer
/// than a line (paths, links) stay whole.
std::string wrap(std::string_view prose, std::size_t width, std::string_view indent);

}  // namespace cutopsy
