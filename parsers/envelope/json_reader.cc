#include "parsers/envelope/json_reader.h"

#include <algorithm>

namespace cutopsy {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void append_utf8(unsigned code, std::string& out) {
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out.push_back(static_cast<char>(0xC0 | (code >> 6)));
    out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
  } else if (code < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | (code >> 12)));
    out.push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
  } else {
    out.push_back(static_cast<char>(0xF0 | (code >> 18)));
    out.push_back(static_cast<char>(0x80 | ((code >> 12) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
  }
}

}  // namespace

bool JsonReader::next_member(std::string& key, std::string& value) {
  key.clear();
  value.clear();
  object_begin_ = kNoObject;
  if (!go_to_key()) return false;
  read_string(key);
  skip_blanks();
  if (peek() != ':') return false;
  ++at_;
  skip_blanks();
  if (peek() == '"') {
    read_string(value);
  } else if (peek() == '[') {
    read_bytes_or_skip(value);
  } else if (peek() == '{') {
    object_begin_ = at_;
    skip_nested();
  } else {
    const std::size_t end = std::min(text_.find_first_of(",} \t", at_), text_.size());
    if (end == at_) return false;
    value = text_.substr(at_, end - at_);
    at_ = end;
  }
  return true;
}

void JsonReader::descend() {
  at_ = object_begin_;
  object_begin_ = kNoObject;
  ++depth_;
}

// Over the mark before a key, and out of objects that end.
bool JsonReader::go_to_key() {
  while (true) {
    skip_blanks();
    const char mark = peek();
    if (mark == '}' && depth_ > 0) {
      ++at_;
      --depth_;
      continue;
    }
    if (mark != '{' && mark != ',') return false;
    ++at_;
    skip_blanks();
    if (peek() == '"') return true;
    const bool is_empty_object = mark == '{' && peek() == '}' && depth_ > 0;
    if (!is_empty_object) return false;
  }
}

void JsonReader::skip_blanks() {
  while (peek() == ' ' || peek() == '\t') ++at_;
}

void JsonReader::read_string(std::string& out) {
  ++at_;
  while (at_ < text_.size()) {
    const std::size_t stop = std::min(text_.find_first_of("\"\\", at_), text_.size());
    out.append(text_.substr(at_, stop - at_));
    at_ = stop;
    if (at_ == text_.size()) return;
    if (text_[at_++] == '"') return;
    read_escape(out);
  }
}

// at_ stands after the backslash.
void JsonReader::read_escape(std::string& out) {
  if (at_ == text_.size()) return;
  const char c = text_[at_++];
  switch (c) {
    case 'n':
      out.push_back('\n');
      return;
    case 't':
      out.push_back('\t');
      return;
    case 'r':
      out.push_back('\r');
      return;
    case 'b':
    case 'f':
      return;
    case 'u':
      break;
    default:
      out.push_back(c);
      return;
  }
  unsigned code = read_hex4();
  const bool is_high_surrogate = code >= 0xD800 && code < 0xDC00;
  if (is_high_surrogate && text_.substr(at_).starts_with("\\u")) {
    at_ += 2;
    const unsigned low = read_hex4();
    code = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00) : low;
  }
  append_utf8(code, out);
}

unsigned JsonReader::read_hex4() {
  unsigned code = 0;
  for (int i = 0; i < 4 && at_ < text_.size(); ++i) {
    const char c = text_[at_];
    const char lower = static_cast<char>(c | 0x20);
    if (is_digit(c)) {
      code = code * 16 + static_cast<unsigned>(c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      code = code * 16 + static_cast<unsigned>(lower - 'a' + 10);
    } else {
      return code;
    }
    ++at_;
  }
  return code;
}

void JsonReader::read_bytes_or_skip(std::string& out) {
  const std::size_t begin = at_;
  ++at_;
  while (at_ < text_.size()) {
    skip_blanks();
    unsigned byte = 0;
    const std::size_t first_digit = at_;
    while (is_digit(peek()) && at_ - first_digit < 3) byte = byte * 10 + static_cast<unsigned>(text_[at_++] - '0');
    if (at_ == first_digit || byte > 255) break;
    out.push_back(static_cast<char>(byte));
    skip_blanks();
    if (peek() == ']') {
      ++at_;
      return;
    }
    if (peek() != ',') break;
    ++at_;
  }
  if (at_ == text_.size()) return;
  out.clear();
  at_ = begin;
  skip_nested();
}

// Over an object or array with everything in it.
void JsonReader::skip_nested() {
  std::size_t depth = 0;
  std::string ignored;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '"') {
      ignored.clear();
      read_string(ignored);
      continue;
    }
    ++at_;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (--depth == 0) return;
    }
  }
}

}  // namespace cutopsy
