#include "parsers/envelope/output_shape.h"

#include <algorithm>

#include "parsers/envelope/timestamp.h"

namespace cutopsy {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

template <typename Accepts>
std::size_t run(std::string_view text, Accepts accepts) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, accepts) - text.begin());
}

bool is_one_of(std::string_view text, auto matches, std::initializer_list<std::string_view> candidates) {
  return std::ranges::any_of(candidates, [&](std::string_view candidate) { return matches(text, candidate); });
}

constexpr auto starts_with = [](std::string_view text, std::string_view start) { return text.starts_with(start); };
constexpr auto ends_with = [](std::string_view text, std::string_view end) { return text.ends_with(end); };

// Python indents frames by two spaces, their source by four. Values that a table aligns are indented, too, but are no
// statements.
bool is_traceback_part(std::string_view text) {
  const std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
  text.remove_prefix(indent);
  if (indent == 2) return text.starts_with("File \"");
  if (indent != 4 || text.empty()) return false;
  const bool is_marker = text.find_first_not_of("^~ ") == text.npos;
  return is_marker || text.find('(') != text.npos || is_one_of(text, starts_with, {"raise ", "assert ", "return "});
}

// "torch.OutOfMemoryError: CUDA out of memory", "KeyboardInterrupt".
bool is_exception(std::string_view text) {
  const std::size_t length = run(text, [](char c) { return is_word(c) || c == '.'; });
  const std::string_view name = text.substr(0, length);
  const bool ends = length == text.size() || text[length] == ':';
  return ends && is_one_of(name, ends_with, {"Error", "Exception", "Interrupt", "SystemExit"});
}

bool is_label(std::string_view text) {
  constexpr std::string_view kLabels[] = {"[rank", "[default"};
  return std::ranges::any_of(kLabels, [&](std::string_view label) {
    return text.starts_with(label) && text.size() > label.size() && is_digit(text[label.size()]);
  });
}

bool is_dated(std::string_view text) {
  if (text.starts_with('[')) text.remove_prefix(1);
  return read_timestamp(text).month != 0;
}

// "node1:4242:4310 [0] NCCL INFO Bootstrap"
bool is_nccl(std::string_view text) {
  text.remove_prefix(run(text, [](char c) { return is_word(c) || c == '-' || c == '.'; }));
  for (int i = 0; i < 2; ++i) {
    if (!text.starts_with(':')) return false;
    text.remove_prefix(1);
    const std::size_t digits = run(text, is_digit);
    if (digits == 0) return false;
    text.remove_prefix(digits);
  }
  return text.starts_with(" [");
}

}  // namespace

bool looks_like_output(std::string_view text) {
  return text.starts_with("Traceback (most recent call last)") || is_traceback_part(text) || is_exception(text) ||
         is_label(text) || is_dated(text) || is_nccl(text);
}

}  // namespace cutopsy
