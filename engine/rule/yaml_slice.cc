#include "engine/rule/yaml_slice.h"

#include <algorithm>
#include <utility>

namespace cutopsy {
namespace {

/// A block mapping ends where a line starts left of it; comment lines may stand anywhere.
std::size_t end_of_block(std::string_view text, std::size_t begin, std::size_t indent) {
  std::size_t end = text.find('\n', begin);
  end = end == std::string_view::npos ? text.size() : end + 1;
  for (std::size_t line = end; line < text.size();) {
    std::size_t next = text.find('\n', line);
    next = next == std::string_view::npos ? text.size() : next + 1;
    const std::size_t first = text.find_first_not_of(" \r\n", line);
    const bool blank = first == std::string_view::npos || first >= next;
    if (!blank && first - line >= indent) {
      end = next;
    } else if (!blank && text[first] != '#') {
      break;
    }
    line = next;
  }
  return end;
}

/// The end of the quoted scalar that opens at `begin`, behind its closing quote.
std::size_t end_of_quoted(std::string_view text, std::size_t begin) {
  const char quote = text[begin];
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;  // '' inside single quotes reads as the end of one scalar and the start of the next
    }
  }
  return text.size();
}

/// A flow mapping ends at its closing brace. Braces in quotes and comments do not count; unquoted texts in flow
/// style hold none.
std::size_t end_of_flow(std::string_view text, std::size_t begin) {
  int depth = 0;
  char before = '{';  // last character that is no white space
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    const bool opens_scalar = std::string_view("{[,:").find(before) != std::string_view::npos;
    if ((c == '"' || c == '\'') && (opens_scalar || before == c)) {
      i = end_of_quoted(text, i) - 1;
    } else if (c == '#' && i > 0 && std::string_view(" \t\n").find(text[i - 1]) != std::string_view::npos) {
      i = std::min(text.find('\n', i), text.size() - 1);
      continue;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') before = c;
  }
  return text.size();
}

std::size_t end_of(std::string_view text, const YamlNode& mapping) {
  return mapping.flow ? end_of_flow(text, mapping.offset)
                      : end_of_block(text, mapping.offset, static_cast<std::size_t>(mapping.column) - 1);
}

std::string indented(std::string_view body, int column) {
  return std::string(static_cast<std::size_t>(column) - 1, ' ').append(body);
}

/// `slice` if it reads as `wanted`.
std::optional<std::string> if_it_reads_as(const YamlNode& wanted, std::string slice) {
  const YamlText again = read_yaml(slice);
  if (again.mistake || !same_values(again.root, wanted)) return std::nullopt;
  return slice;
}

}  // namespace

std::optional<std::string> slice_of(const std::string& text, const YamlNode& mapping) {
  const std::size_t end = end_of(text, mapping);
  const std::string_view body = std::string_view(text).substr(mapping.offset, end - mapping.offset);
  return if_it_reads_as(mapping, indented(body, mapping.column));
}

std::optional<std::string> slice_without(const std::string& text, const YamlNode& mapping, std::string_view key) {
  YamlNode rest = mapping;
  auto cut = std::find_if(rest.entries.begin(), rest.entries.end(),
                          [&](const YamlEntry& entry) { return entry.key.text == key; });
  if (cut == rest.entries.end()) return slice_of(text, mapping);
  const std::size_t end = end_of(text, mapping);
  const std::size_t from = cut->key.offset;
  const auto next = std::next(cut);
  const std::size_t to = next != rest.entries.end() ? next->key.offset : end - (mapping.flow ? 1 : 0);
  rest.entries.erase(cut);

  const std::string_view all = text;
  const std::string_view gone = all.substr(from, to - from);
  std::string body(all.substr(mapping.offset, from - mapping.offset));
  if (to < end && gone.find('\n') != std::string_view::npos) {
    body.append(static_cast<std::size_t>(std::count(gone.begin(), gone.end(), '\n')), '\n');
    body.append(to - (all.rfind('\n', to - 1) + 1), ' ');
  }
  body.append(all.substr(to, end - to));
  return if_it_reads_as(rest, indented(body, mapping.column));
}

}  // namespace cutopsy
