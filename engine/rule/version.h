// Versions of cutopsy, as rule files name them.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace cutopsy {

/// Major, minor, patch; they compare in that order.
using Version = std::array<int, 3>;

/// Reads "1.2" or "1.2.3".
std::optional<Version> parse_version(std::string_view text);

/// The version of this engine.
std::string_view engine_version();

}  // namespace cutopsy
