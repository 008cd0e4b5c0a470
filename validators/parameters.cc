#include "validators/parameters.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

namespace cutopsy {

namespace {

constexpr std::size_t kMostText = 4096;  // bytes; PATH_MAX of Linux

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") + 1 - from);
}

// The power of 1,024 that a unit stands for.
std::optional<int> power_of(std::string_view unit) {
  if (unit.empty() || unit == "B" || unit == "bytes" || unit == "byte") return 0;
  static constexpr std::string_view kPrefixes = "KMGTP";
  const char first = static_cast<char>(unit[0] >= 'a' && unit[0] <= 'z' ? unit[0] - 32 : unit[0]);
  const std::size_t power = kPrefixes.find(first);
  if (power == std::string_view::npos) return std::nullopt;
  const std::string_view rest = unit.substr(1);
  if (!rest.empty() && rest != "B" && rest != "iB" && rest != "b") return std::nullopt;
  return static_cast<int>(power) + 1;
}

}  // namespace

std::optional<std::string> Parameters::text(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end() || found->second.size() > kMostText) return std::nullopt;
  const bool has_control = std::any_of(found->second.begin(), found->second.end(),
                                       [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (has_control) return std::nullopt;
  return found->second;
}

std::optional<std::uint64_t> Parameters::bytes(std::string_view name, std::uint64_t most) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  const std::string_view size = trimmed(*given);
  double count = 0;
  const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), count);
  if (error != std::errc() || !std::isfinite(count) || count < 0) return std::nullopt;
  const auto power = power_of(trimmed(size.substr(static_cast<std::size_t>(end - size.data()))));
  if (!power) return std::nullopt;
  const double total = count * std::pow(1024.0, *power);
  return total >= static_cast<double>(most) ? most : static_cast<std::uint64_t>(total);
}

std::optional<std::int64_t> Parameters::number(std::string_view name, std::int64_t least, std::int64_t most) const {
  const auto given = text(name);
  if (!given) return std::nullopt;
  const std::string_view digits = trimmed(*given);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (end != digits.data() + digits.size() || digits.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return digits[0] == '-' ? least : most;
  if (error != std::errc()) return std::nullopt;
  return std::clamp(value, least, most);
}

std::optional<std::string> Parameters::path(std::string_view name) const {
  auto given = text(name);
  if (!given || given->empty() || given->front() != '/') return std::nullopt;
  const std::string closed = *given + "/";
  if (closed.find("/../") != std::string::npos) return std::nullopt;
  return given;
}

}  // namespace cutopsy
