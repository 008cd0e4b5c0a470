// Log text is untrusted: makes it safe to print and to put into JSON.
#pragma once

#include <string>
#include <string_view>

namespace cutopsy {

/// Valid UTF-8 without control characters: those (escapes included) become U+FFFD or, for tabs and line ends, a
/// space. Cut to `max_bytes`, with "…" where something was left out.
std::string printable(std::string_view text, std::size_t max_bytes);

/// The same, but line ends and tabs stay.
std::string printable_lines(std::string_view text, std::size_t max_bytes);

}  // namespace cutopsy
