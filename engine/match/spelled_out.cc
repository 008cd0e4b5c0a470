#include "engine/match/spelled_out.h"

#include <cctype>
#include <optional>

namespace cutopsy {
namespace {

// Takes one literal character off the front of `pattern`; '\0' when none stands there.
char take_character(std::string_view& pattern) {
  if (pattern.empty()) return '\0';
  char c = pattern[0];
  std::size_t length = 1;
  if (c == '\\') {
    if (pattern.size() < 2 || !std::ispunct(static_cast<unsigned char>(pattern[1]))) return '\0';
    c = pattern[1];
    length = 2;
  } else if (std::string_view("()[]{}|*+?.^$").find(c) != std::string_view::npos) {
    return '\0';
  }
  const std::string_view rest = pattern.substr(length);
  const bool is_repeated = !rest.empty() && std::string_view("*+?{").find(rest[0]) != std::string_view::npos;
  // Bytes above ASCII mean one character to UTF-8 and several to Latin-1.
  if (is_repeated || static_cast<unsigned char>(c) >= 0x80) return '\0';
  pattern = rest;
  return c;
}

// Takes "(a|b)" or "(?:a|b)" off the front of `pattern`.
std::optional<std::vector<std::string>> take_group(std::string_view& pattern) {
  if (!pattern.starts_with('(')) return std::nullopt;
  pattern.remove_prefix(pattern.starts_with("(?:") ? 3 : 1);
  std::vector<std::string> texts(1);
  while (!pattern.starts_with(')')) {
    if (pattern.starts_with('|')) {
      pattern.remove_prefix(1);
      texts.emplace_back();
      continue;
    }
    const char c = take_character(pattern);
    if (c == '\0') return std::nullopt;
    texts.back() += c;
  }
  pattern.remove_prefix(1);
  const bool is_repeated = !pattern.empty() && std::string_view("*+?{").find(pattern[0]) != std::string_view::npos;
  if (is_repeated) return std::nullopt;
  return texts;
}

}  // namespace

std::vector<std::string> spelled_out(std::string_view pattern) {
  if (!pattern.starts_with('^')) return {};
  pattern.remove_prefix(1);
  std::vector<std::string> texts(1);
  while (pattern != "$") {
    if (const char c = take_character(pattern); c != '\0') {
      for (std::string& text : texts) text += c;
      continue;
    }
    const auto group = take_group(pattern);
    if (!group || texts.size() * group->size() > kMaxSpelledOut) return {};
    std::vector<std::string> longer;
    for (const std::string& text : texts) {
      for (const std::string& part : *group) longer.push_back(text + part);
    }
    texts = std::move(longer);
  }
  return texts;
}

}  // namespace cutopsy
