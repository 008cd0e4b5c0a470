// The vocabulary between parsers and rules: every event kind with its fields.
//
// A parser emits only kinds and fields listed here; `rules lint` refuses a rule that names others.
#pragma once

#include <span>
#include <string_view>

namespace cutopsy {

struct EventKind {
  std::string_view name;
  std::string_view meaning;
  std::span<const std::string_view> fields;
};

std::span<const EventKind> event_kinds();
/// The kind of that name, or null.
const EventKind* find_event_kind(std::string_view name);

}  // namespace cutopsy
