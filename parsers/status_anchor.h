// Where in a line a status may stand: phrases that announce one, enumerators, and descriptions that are never
// printed for anything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace cutopsy {

enum class AnchorKind : std::uint8_t {
  lead,         ///< announces a status, by name, words or number: "CUDA error"
  hint,         ///< may announce one: "== cudaSuccess"
  quote,        ///< announces one only if its words or enumerator stand right behind: "(error code "
  call,         ///< the beginning of an API function's name; a status follows "failed", "returned", ...
  name,         ///< the beginning of an enumerator
  description,  ///< the beginning of a description that says it all
};

struct Anchor {
  std::string_view literal;
  AnchorKind kind = AnchorKind::lead;
  std::string_view family;     ///< whose numbers and words follow
  bool old_numbers = false;    ///< numbers are those of CUDA 10.0 and before
  bool number_before = false;  ///< the number stands in front: "[700] Call to cuMemcpyDtoH"
};

struct PlacedAnchor {
  const Anchor* anchor = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The first anchor that begins at or after `from`; where two begin at one place, the longer.
std::optional<PlacedAnchor> next_anchor(std::string_view text, std::size_t from);

/// Literals of which one stands in every line that has an anchor.
std::span<const std::string_view> anchor_triggers();

}  // namespace cutopsy
