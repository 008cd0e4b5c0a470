// Writing to a descriptor until all is written.
#pragma once

#include <string_view>

namespace cutopsy {

/// False when nobody reads `descriptor` any more, or it cannot be written; errno says why.
bool write_all(int descriptor, std::string_view bytes);

}  // namespace cutopsy
