// Sizes of memory as logs print them: "2.00 GiB", "187.62MiB", "536870912kB", "8,000,000,000 bytes".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutopsy {

struct ByteSize {
  std::string_view text;    ///< number and unit as printed
  std::uint64_t bytes = 0;  ///< the largest value when the size does not fit
  bool has_unit = false;
};

/// The size that `text` begins with. A number without a unit counts bytes; a comma before three digits
/// groups them. All prefixes are powers of 1024, with or without the 'i': that is what GPU frameworks and the kernel
/// mean by them.
std::optional<ByteSize> read_byte_size(std::string_view text);

}  // namespace cutopsy
