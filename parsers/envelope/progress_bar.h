// Progress bars of tqdm, which end without a line break: what is printed next sticks to them.
#pragma once

#include <cstddef>
#include <string_view>

namespace cutopsy {

/// Where the text begins that sticks to a progress bar in `text`; npos when there is none.
std::size_t find_end_of_progress_bar(std::string_view text);

}  // namespace cutopsy
