#include "parsers/pci_address.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace cutopsy {
namespace {

std::optional<std::uint32_t> hex_number(std::string_view digits, std::uint32_t limit) {
  std::uint32_t value = 0;
  const char* end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(digits.data(), end, value, 16);
  if (error != std::errc() || stop != end || value > limit) return std::nullopt;
  return value;
}

// Cuts the last part behind `separator` off `rest`; nothing when the separator is missing.
std::optional<std::string_view> cut_last(std::string_view& rest, char separator) {
  const std::size_t at = rest.rfind(separator);
  if (at == rest.npos) return std::nullopt;
  std::string_view last = rest.substr(at + 1);
  rest = rest.substr(0, at);
  return last;
}

}  // namespace

std::string canonical_pci_address(std::string_view printed) {
  std::string_view rest = printed;
  const auto function = hex_number(cut_last(rest, '.').value_or("0"), 7);
  const auto device_text = cut_last(rest, ':');
  if (!function || !device_text) return "";
  const auto device = hex_number(*device_text, 0x1f);
  const auto bus_text = cut_last(rest, ':');
  const auto bus = hex_number(bus_text.value_or(rest), 0xff);
  const auto domain = bus_text ? hex_number(rest, UINT32_MAX) : 0;
  if (!device || !bus || !domain) return "";

  std::array<char, 32> text;
  const int length = std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.%x", *domain, *bus, *device, *function);
  return std::string(text.data(), static_cast<std::size_t>(length));
}

}  // namespace cutopsy
