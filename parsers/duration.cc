#include "parsers/duration.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <utility>

namespace cutopsy {
namespace {

constexpr std::size_t kMaxDigits = 18;

constexpr std::array<std::pair<std::string_view, double>, 29> kUnits{{
    {"ns", 1e-9},
    {"nanoseconds", 1e-9},
    {"us", 1e-6},
    {"usec", 1e-6},
    {"microseconds", 1e-6},
    {"ms", 1e-3},
    {"msec", 1e-3},
    {"msecs", 1e-3},
    {"millis", 1e-3},
    {"millisecond", 1e-3},
    {"milliseconds", 1e-3},
    {"s", 1},
    {"sec", 1},
    {"secs", 1},
    {"second", 1},
    {"seconds", 1},
    {"m", 60},
    {"min", 60},
    {"mins", 60},
    {"minute", 60},
    {"minutes", 60},
    {"h", 3600},
    {"hr", 3600},
    {"hrs", 3600},
    {"hour", 3600},
    {"hours", 3600},
    {"d", 86400},
    {"day", 86400},
    {"days", 86400},
}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::size_t digits_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - begin;
}

// Length of the number at `begin`, with a decimal point or without; 0 when there is none.
std::size_t number_at(std::string_view text, std::size_t begin) {
  const std::size_t whole = digits_at(text, begin);
  if (whole == 0 || whole > kMaxDigits) return 0;
  const std::size_t point = begin + whole;
  if (point >= text.size() || text[point] != '.') return whole;
  const std::size_t fraction = digits_at(text, point + 1);
  return fraction == 0 || fraction > kMaxDigits ? whole : whole + 1 + fraction;
}

double value_of(std::string_view number) {
  double value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  return value;
}

// "0:30:00", "12:34", "0:00:00.250000"
std::optional<Duration> read_clock(std::string_view text) {
  double seconds = 0;
  std::size_t end = 0;
  int parts = 0;
  while (parts < 3) {
    const std::size_t length = parts == 0 ? digits_at(text, end) : number_at(text, end);
    if (length == 0 || length > kMaxDigits) return std::nullopt;
    seconds = seconds * 60 + value_of(text.substr(end, length));
    end += length;
    ++parts;
    if (end >= text.size() || text[end] != ':' || digits_at(text, end + 1) != 2) break;
    ++end;
  }
  if (parts < 2) return std::nullopt;
  return Duration{text.substr(0, end), seconds};
}

// "45s", "1800000 ms", "1h2m3.5s": parts from the larger unit to the smaller, without blanks between them.
std::optional<Duration> read_units(std::string_view text) {
  double seconds = 0;
  double last_unit = 0;
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t length = number_at(text, end);
    if (length == 0) break;
    std::size_t begin = end + length;
    if (begin < text.size() && text[begin] == ' ') ++begin;
    std::size_t stop = begin;
    while (stop < text.size() && is_letter(text[stop])) ++stop;
    const auto unit = std::find_if(kUnits.begin(), kUnits.end(),
                                   [&](const auto& entry) { return entry.first == text.substr(begin, stop - begin); });
    if (unit == kUnits.end() || (last_unit > 0 && unit->second >= last_unit)) break;
    seconds += value_of(text.substr(end, length)) * unit->second;
    last_unit = unit->second;
    end = stop;
  }
  if (last_unit == 0) return std::nullopt;
  return Duration{text.substr(0, end), seconds};
}

}  // namespace

std::optional<Duration> read_duration(std::string_view text) {
  if (const auto clock = read_clock(text)) return clock;
  const auto units = read_units(text);
  if (!units || !text.substr(units->text.size()).starts_with(", ")) return units;
  const std::size_t clock_at = units->text.size() + 2;
  const auto clock = read_clock(text.substr(clock_at));
  if (!clock) return units;
  return Duration{text.substr(0, clock_at + clock->text.size()), units->seconds + clock->seconds};
}

std::string seconds_text(double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%.3f", seconds);
  std::string result = text;
  result.erase(result.find_last_not_of('0') + 1);
  if (result.ends_with('.')) result.pop_back();
  return result;
}

}  // namespace cutopsy
