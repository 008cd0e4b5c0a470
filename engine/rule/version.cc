#include "engine/rule/version.h"

#include <charconv>

namespace cutopsy {

std::optional<Version> parse_version(std::string_view text) {
  Version version{};
  std::size_t parts = 0;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (parts < version.size()) {
    const auto [rest, error] = std::from_chars(at, end, version[parts]);
    if (error != std::errc() || version[parts++] < 0) return std::nullopt;
    at = rest;
    if (at == end) break;
    if (*at++ != '.') return std::nullopt;
  }
  const bool complete = at == end && parts >= 2;
  return complete ? std::optional(version) : std::nullopt;
}

std::string_view engine_version() {
  return CUTOPSY_VERSION;
}

}  // namespace cutopsy
