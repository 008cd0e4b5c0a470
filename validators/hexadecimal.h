// Addresses and masks for people.
#pragma once

#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>

namespace cutopsy {

/// "0x1f"
inline std::string hexadecimal(std::uint64_t value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%" PRIx64, value);
  return text.data();
}

}  // namespace cutopsy
