// How many lines of systems at work hold a piece of text: what a search for it would stop at for nothing.
//
// The table is made by engine/scan/make_ordinary_lines.py, which names its source.
#pragma once

#include <cstdint>
#include <string_view>

namespace cutopsy {

inline constexpr std::uint32_t kOrdinaryLines = 100'000;

/// About how many of kOrdinaryLines lines hold `literal` (a trigger, or shorter), 0 when at most one was seen: as many
/// as hold the rarest of its words, or of its pairs of neighbouring words. Digits tell nothing.
std::uint32_t ordinary_lines(std::string_view literal);

}  // namespace cutopsy
