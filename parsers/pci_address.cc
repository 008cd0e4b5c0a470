#include "parsers/pci_address.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace cutopsy {
namespace {

std::optional<std::uint32_t> number(std::string_view digits, std::uint32_t limit, int base) {
  std::uint32_t value = 0;
  const char* end = digits.data() + digits.size();
  auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc() || stop != end || value > limit) return std::nullopt;
  return value;
}

std::optional<std::uint32_t> hex_number(std::string_view digits, std::uint32_t limit) {
  return number(digits, limit, 16);
}

void append_hex(std::uint32_t value, std::size_t min_digits, std::string& text) {
  std::array<char, 8> digits;
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  const auto count = static_cast<std::size_t>(end - digits.data());
  text.append(min_digits - std::min(min_digits, count), '0').append(digits.data(), count);
}

std::string address(std::uint32_t domain, std::uint32_t bus, std::uint32_t device, std::uint32_t function) {
  std::string text;
  append_hex(domain, 4, text);
  append_hex(bus, 2, text += ':');
  append_hex(device, 2, text += ':');
  append_hex(function, 1, text += '.');
  return text;
}

// Cuts the last part behind `separator` off `rest`; nothing when the separator is missing.
std::optional<std::string_view> cut_last(std::string_view& rest, char separator) {
  const std::size_t at = rest.rfind(separator);
  if (at == rest.npos) return std::nullopt;
  std::string_view last = rest.substr(at + 1);
  rest = rest.substr(0, at);
  return last;
}

// The X server's BusID (xorg.conf(5)): bus, device and function in decimal digits.
std::string address_of_xorg(std::string_view rest) {
  const auto function_text = cut_last(rest, ':');
  const auto device_text = cut_last(rest, ':');
  if (!function_text || !device_text) return "";
  const auto function = number(*function_text, 7, 10);
  const auto device = number(*device_text, 0x1f, 10);
  const auto bus = number(rest, 0xff, 10);
  return function && device && bus ? address(0, *bus, *device, *function) : "";
}

}  // namespace

std::string canonical_pci_address(std::string_view printed) {
  constexpr std::string_view kLabel = "PCI:";
  std::string_view rest = printed;
  if (rest.starts_with(kLabel)) {
    rest.remove_prefix(kLabel.size());
    constexpr std::size_t kDomainDigits = 4;
    const std::string decimal = rest.find(':') < kDomainDigits ? address_of_xorg(rest) : "";
    if (!decimal.empty()) return decimal;
  }
  const auto function = hex_number(cut_last(rest, '.').value_or("0"), 7);
  const auto device_text = cut_last(rest, ':');
  if (!function || !device_text) return "";
  const auto device = hex_number(*device_text, 0x1f);
  const auto bus_text = cut_last(rest, ':');
  const auto bus = hex_number(bus_text.value_or(rest), 0xff);
  const auto domain = bus_text ? hex_number(rest, UINT32_MAX) : 0;
  return device && bus && domain ? address(*domain, *bus, *device, *function) : "";
}

std::string pci_address_of_bus_id(std::string_view printed) {
  if (printed.starts_with("0x")) printed.remove_prefix(2);
  const auto id = hex_number(printed, UINT32_MAX);
  if (!id) return "";
  const std::uint32_t device = *id >> 4 & 0xff;
  const std::uint32_t function = *id & 0xf;
  return device <= 0x1f && function <= 7 ? address(*id >> 20, *id >> 12 & 0xff, device, function) : "";
}

}  // namespace cutopsy
