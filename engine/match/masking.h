// What stays the same when a message is printed again: by another process, on another machine, tomorrow.
#pragma once

#include <string>
#include <string_view>

namespace cutopsy {

/// `text` with numbers and addresses replaced by '#' and the folders of paths left out, cut to kMaxMaskedBytes.
std::string mask(std::string_view text);

inline constexpr std::size_t kMaxMaskedBytes = 200;

}  // namespace cutopsy
