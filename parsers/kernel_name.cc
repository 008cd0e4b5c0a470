#include "parsers/kernel_name.h"

namespace cutopsy {
namespace {

bool opens(char c) {
  return c == '(' || c == '<' || c == '[';
}
bool closes(char c) {
  return c == ')' || c == '>' || c == ']';
}

// Where the bracket opens that the last character of `text` closes; npos when it is not balanced.
std::size_t opening_of_last(std::string_view text) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i]) && --depth == 0) return i;
  }
  return std::string_view::npos;
}

std::string_view without_trailing_spaces(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// Drops what stands before the last space that no bracket encloses: the return type.
std::string_view without_return_type(std::string_view text) {
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (closes(text[i])) ++depth;
    if (opens(text[i])) --depth;
    if (text[i] == ' ' && depth == 0) return text.substr(i + 1);
  }
  return text;
}

}  // namespace

std::string_view kernel_name(std::string_view signature) {
  if (signature.starts_with("lambda ")) return signature;
  std::string_view name = without_trailing_spaces(signature.substr(0, signature.find(" [with ")));
  if (name.ends_with(')') && !name.ends_with("operator()")) {
    const auto open = opening_of_last(name);
    if (open == std::string_view::npos || open == 0) return signature;
    name = without_trailing_spaces(name.substr(0, open));
  }
  name = without_return_type(name);
  while (name.starts_with('*') || name.starts_with('&')) name.remove_prefix(1);
  return name.empty() ? signature : name;
}

}  // namespace cutopsy
