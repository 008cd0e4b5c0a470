// Values of the form "0x1000:0x80:0": numbers between colons, decimal or hexadecimal, sizes with KiB, MiB or GiB.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cutopsy::fake {

/// Ends the process with a message when a field is no number.
std::vector<std::uint64_t> number_fields(std::string_view text);

}  // namespace cutopsy::fake
