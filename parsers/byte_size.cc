#include "parsers/byte_size.h"

#include <cctype>
#include <charconv>
#include <limits>
#include <string>

namespace cutopsy {
namespace {

constexpr std::size_t kMaxDigits = 32;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digits_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - begin;
}

// Length of the number that `text` begins with; `number` gets it with a decimal point and no commas. A comma before
// three digits groups them, any other is the decimal comma of a localised printf.
std::size_t read_number(std::string_view text, std::string& number) {
  std::size_t length = 0;
  bool has_fraction = false;
  while (length < text.size() && number.size() < kMaxDigits) {
    const char c = text[length];
    const std::size_t following = digits_at(text.substr(0, length + 5), length + 1);
    if (is_digit(c)) {
      number += c;
    } else if ((c == '.' || c == ',') && !has_fraction && !number.empty() && following > 0) {
      has_fraction = c == '.' || following != 3;
      if (has_fraction) number += '.';
    } else {
      break;
    }
    ++length;
  }
  return length;
}

// The factor that a unit word stands for, 0 when it is no unit.
std::uint64_t factor_of(std::string_view unit) {
  const auto means_bytes = [](std::string_view word) {
    return word == "B" || word == "bytes" || word == "byte" || word == "Bytes" || word == "BYTES";
  };
  if (means_bytes(unit)) return 1;
  constexpr std::string_view kPrefixes = "KMGTPE";
  if (unit.empty()) return 0;
  const auto power = kPrefixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit.front()))));
  const std::string_view rest = unit.substr(1);
  const bool is_prefix = rest.empty() || rest == "b" || rest == "iB" || rest == "ib" || means_bytes(rest);
  if (power == std::string_view::npos || !is_prefix) return 0;
  return std::uint64_t{1} << (10 * (power + 1));
}

std::uint64_t scaled(const std::string& number, std::uint64_t factor) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  const char* const end = number.data() + number.size();
  if (number.find('.') == std::string::npos) {
    std::uint64_t whole = 0;
    const auto result = std::from_chars(number.data(), end, whole);
    return result.ec != std::errc{} || whole > kMost / factor ? kMost : whole * factor;
  }
  double value = 0;
  std::from_chars(number.data(), end, value);
  value *= static_cast<double>(factor);
  return value >= static_cast<double>(kMost) ? kMost : static_cast<std::uint64_t>(value);
}

}  // namespace

std::optional<ByteSize> read_byte_size(std::string_view text) {
  std::string number;
  const std::size_t digits = read_number(text, number);
  if (number.empty()) return std::nullopt;
  std::size_t begin = digits;
  if (begin < text.size() && text[begin] == ' ') ++begin;
  std::size_t end = begin;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end]))) ++end;
  const std::uint64_t factor = factor_of(text.substr(begin, end - begin));
  if (factor == 0) return ByteSize{text.substr(0, digits), scaled(number, 1), false};
  return ByteSize{text.substr(0, end), scaled(number, factor), true};
}

}  // namespace cutopsy
