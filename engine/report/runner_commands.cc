#include "engine/report/runner_commands.h"

#include <algorithm>
#include <cctype>

namespace cutopsy {
namespace {

// "##", a name or none, "["
bool begins_with_hash_command(std::string_view text) {
  if (!text.starts_with("##")) return false;
  text.remove_prefix(2);
  const auto end = std::ranges::find_if_not(text, [](unsigned char c) { return std::isalpha(c) != 0; });
  return end != text.end() && *end == '[';
}

}  // namespace

std::string without_commands(std::string_view text, const BrokenMark& mark) {
  std::string out;
  out.reserve(text.size());
  bool at_line_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#' && begins_with_hash_command(text.substr(i))) {
      out += mark.hash;
    } else if (c == ':' && at_line_start && text.substr(i).starts_with("::")) {
      out += mark.colon;
    } else {
      out += c;
    }
    at_line_start = c == '\n' || (at_line_start && (c == ' ' || c == '\t'));
  }
  return out;
}

}  // namespace cutopsy
