// Sizes for people: powers of 1,024, as parameters read them.
#pragma once

#include <cstdint>
#include <string>

namespace cutopsy {

/// "512 bytes", "64 MiB", "1.5 GiB": at most one digit after the point, rounded down so that it never promises more.
std::string size_text(std::uint64_t bytes);

}  // namespace cutopsy
