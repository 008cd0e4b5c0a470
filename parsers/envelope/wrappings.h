// The table of wrappings, and the search in it.
#pragma once

#include <span>
#include <string_view>

#include "parsers/envelope/wrapping_pattern.h"

namespace cutopsy {

/// One row. The pattern is written in the language of wrapping_pattern.h.
struct Wrapping {
  std::string_view pattern;
  enum class Kind : std::uint8_t {
    plain,
    kernel,  ///< only the kernel log has it
    outer,   ///< stands before any logger's head
    label,   ///< tells something of the line, but stays in its text
    quoted,  ///< what follows is a quoted field of a CSV file
  };
  Kind kind = Kind::plain;
  std::string_view level = {};  ///< what the wrapping says by being there
};

/// The rows; of several that fit, the first counts.
std::span<const Wrapping> wrappings();

/// The wrapping at the beginning of `text`, described in `match`; null when there is none. With `only_kernel` it may
/// also be null where a wrapping of another kind stands, which is found sooner.
const Wrapping* find_wrapping(std::string_view text, bool only_kernel, WrappingMatch& match);

}  // namespace cutopsy
