#include "parsers/native_frame.h"
#include "parsers/trim.h"

#include <algorithm>

namespace cutopsy {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes `prefix` off `text`.
bool consume(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool consume_digits(std::string_view& text) {
  const std::size_t length = std::find_if_not(text.begin(), text.end(), is_digit) - text.begin();
  text.remove_prefix(length);
  return length > 0;
}

bool consume_address(std::string_view& text) {
  if (!consume(text, "0x")) return false;
  const std::size_t length = std::min(text.find_first_not_of("0123456789abcdefABCDEF"), text.size());
  text.remove_prefix(length);
  return length > 0;
}

std::string_view named(std::string_view name) {
  name = trim(name);
  return name == "<unknown function>" || name == "(unknown)" ? std::string_view{} : name;
}

// "frame #0: NAME + 0x98 (0x7f1c in OBJECT)" or "frame #4: NAME [0x8b1a4e]"; `text` follows "frame #".
std::optional<std::string_view> read_c10_frame(std::string_view text) {
  if (!consume_digits(text) || !consume(text, ":")) return std::nullopt;
  for (const std::string_view end : {" + 0x", " (0x", " [0x"}) {
    if (const std::size_t at = text.rfind(end); at != std::string_view::npos) return named(text.substr(0, at));
  }
  return named(text);
}

// "#4 NAME from FILE:LINE"; `text` follows "#".
std::optional<std::string_view> read_symbolised_frame(std::string_view text) {
  if (!consume_digits(text) || !consume(text, " ")) return std::nullopt;
  const std::size_t from = text.rfind(" from ");
  if (from == std::string_view::npos || text.find(':', from) == std::string_view::npos) return std::nullopt;
  return named(text.substr(0, from));
}

}  // namespace

std::optional<std::string_view> read_native_frame(std::string_view text, bool managed) {
  const bool indented = !text.empty() && (text.front() == ' ' || text.front() == '\t');
  std::string_view rest = trim(text);
  if (rest == "<omitting python frames>") return std::string_view{};
  if (consume(rest, "frame #")) return read_c10_frame(rest);
  if (consume(rest, "#")) return read_symbolised_frame(rest);
  if (consume(rest, "@ ")) {
    rest = trim(rest);
    if (!consume_address(rest)) return std::nullopt;
    return named(rest);
  }
  if (consume(rest, "[bt] (")) {
    if (!consume_digits(rest) || !consume(rest, ")")) return std::nullopt;
    return named(rest.substr(0, rest.rfind(" [0x")));
  }
  if (managed && indented && consume(rest, "at ")) return named(rest.substr(0, rest.find('(')));
  if (consume_digits(rest)) {
    if (!rest.starts_with(' ')) return std::nullopt;
    rest = trim(rest);
    if (!consume_address(rest) || !rest.starts_with(' ')) return std::nullopt;
    return named(rest.substr(0, rest.rfind(" + ")));
  }
  return std::nullopt;
}

std::optional<RaisedFrom> read_raised_from(std::string_view text) {
  constexpr std::string_view kStart = "Exception raised from ";
  constexpr std::string_view kEnd = " (most recent call first)";
  const std::size_t start = text.find(kStart);
  if (start == std::string_view::npos) return std::nullopt;
  text.remove_prefix(start + kStart.size());
  const std::size_t end = text.find(kEnd);
  if (end == std::string_view::npos) return std::nullopt;
  text = text.substr(0, end);
  const std::size_t at = text.rfind(" at ");
  const std::size_t colon = text.rfind(':');
  if (at == std::string_view::npos || colon == std::string_view::npos || colon < at + 4) return std::nullopt;
  return RaisedFrom{text.substr(0, at), text.substr(at + 4, colon - at - 4), text.substr(colon + 1)};
}

bool announces_native_frames(std::string_view text) {
  text = trim(text);
  return text == "C++ CapturedTraceback:" || text == "Stack trace:" || text == "*** Check failure stack trace: ***";
}

}  // namespace cutopsy
