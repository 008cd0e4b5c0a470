#include "parsers/envelope/level.h"

#include <iterator>

namespace cutopsy {
namespace {

constexpr std::string_view kDebug = "debug";
constexpr std::string_view kInfo = "info";
constexpr std::string_view kWarning = "warning";
constexpr std::string_view kError = "error";
constexpr std::string_view kFatal = "fatal";

struct Word {
  std::string_view text;  // lower case
  std::string_view level;
};

// Python logging, log4j, spdlog, loguru, Go's slog and logrus, dmesg. A word stands after those that it begins with.
constexpr Word kWords[] = {
    {"debug", kDebug},  {"trace", kDebug},     {"verbose", kDebug},   {"info", kInfo},   {"notice", kInfo},
    {"success", kInfo}, {"warning", kWarning}, {"warn", kWarning},    {"error", kError}, {"err", kError},
    {"severe", kError}, {"critical", kFatal},  {"crit", kFatal},      {"fatal", kFatal}, {"alert", kFatal},
    {"emerg", kFatal},  {"panic", kFatal},     {"exception", kError},
};

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

bool is_word_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool starts_with_word(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (lower(text[i]) != word[i]) return false;
  }
  return text.size() == word.size() || !is_word_char(text[word.size()]);
}

}  // namespace

LevelWord read_level_word(std::string_view text) {
  if (text.empty()) return {};
  const char first = lower(text[0]);
  for (const Word& word : kWords) {
    if (word.text[0] == first && starts_with_word(text, word.text)) return {word.text.size(), word.level};
  }
  return {};
}

LevelWord read_capital_level_word(std::string_view text) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (text.size() < 2 || !is_capital(text[0]) || !is_capital(text[1])) return {};
  return read_level_word(text);
}

LevelWord read_level_letter(std::string_view text) {
  if (text.empty()) return {};
  switch (text[0]) {
    case 'D':
    case 'T':
    case 'V':
      return {1, kDebug};
    case 'I':
    case 'N':
      return {1, kInfo};
    case 'W':
      return {1, kWarning};
    case 'E':
      return {1, kError};
    case 'C':
    case 'F':
      return {1, kFatal};
    default:
      return {};
  }
}

LevelWord read_priority(std::string_view text) {
  constexpr std::string_view kSeverities[] = {kFatal, kFatal, kFatal, kError, kWarning, kInfo, kInfo, kDebug};
  std::size_t length = 0;
  unsigned priority = 0;
  while (length < text.size() && text[length] >= '0' && text[length] <= '9') {
    if (length == 3) return {};
    priority = priority * 10 + static_cast<unsigned>(text[length++] - '0');
  }
  if (length == 0) return {};
  return {length, kSeverities[priority % std::size(kSeverities)]};
}

}  // namespace cutopsy
