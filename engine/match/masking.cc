#include "engine/match/masking.h"

#include <cctype>

namespace cutopsy {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_of_path(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.' || c == '~' || c == '+';
}

// Bytes of `text` that folders take at its beginning: "/home/me/x/" of "/home/me/x/train.py", 0 for other texts.
std::size_t folders_length(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < text.size() && (is_of_path(text[i]) || text[i] == '/' || text[i] == '\\'); ++i) {
    if (text[i] == '/' || text[i] == '\\') end = i + 1;
  }
  return text.substr(0, end).find_first_of("/\\") + 1 == end && !text.starts_with('/') ? 0 : end;
}

}  // namespace

std::string mask(std::string_view text) {
  std::string masked;
  for (std::size_t i = 0; i < text.size() && masked.size() < kMaxMaskedBytes;) {
    const bool starts_word = i == 0 || !is_of_path(text[i - 1]);
    if (starts_word) i += folders_length(text.substr(i));
    if (i >= text.size()) break;
    if (text[i] == '0' && i + 1 < text.size() && text[i + 1] == 'x') {
      i += 2;
      while (i < text.size() && std::isxdigit(static_cast<unsigned char>(text[i]))) ++i;
      masked += '#';
    } else if (is_digit(text[i])) {
      while (i < text.size() && is_digit(text[i])) ++i;
      masked += '#';
    } else {
      masked += text[i++];
    }
  }
  return masked;
}

}  // namespace cutopsy
