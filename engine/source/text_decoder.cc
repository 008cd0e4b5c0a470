#include "engine/source/text_decoder.h"

#include <algorithm>
#include <string_view>

namespace cutopsy {
namespace {

void append_utf8(unsigned code_point, std::string& text) {
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text += static_cast<char>(0xC0 | code_point >> 6);
    text += static_cast<char>(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    text += static_cast<char>(0xE0 | code_point >> 12);
    text += static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (code_point & 0x3F));
  } else {
    text += static_cast<char>(0xF0 | code_point >> 18);
    text += static_cast<char>(0x80 | (code_point >> 12 & 0x3F));
    text += static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    text += static_cast<char>(0x80 | (code_point & 0x3F));
  }
}

// NUL in every second byte of 32: ASCII text in UTF-16.
bool alternates_with_nul(std::string_view bytes, std::size_t nul_at) {
  constexpr std::size_t kEnough = 32;
  if (bytes.size() < kEnough) return false;
  for (std::size_t i = 0; i < kEnough; ++i) {
    if ((bytes[i] == '\0') != (i % 2 == nul_at)) return false;
  }
  return true;
}

constexpr unsigned kReplacement = 0xFFFD;

}  // namespace

void TextDecoder::decide(std::string_view first) {
  if (first.starts_with("\xFF\xFE") || alternates_with_nul(first, 1)) {
    encoding_ = Encoding::utf16_little;
  } else if (first.starts_with("\xFE\xFF") || alternates_with_nul(first, 0)) {
    encoding_ = Encoding::utf16_big;
  } else {
    encoding_ = Encoding::bytes;
  }
}

void TextDecoder::append_unit(unsigned unit, std::string& text) {
  bool high = unit >= 0xD800 && unit < 0xDC00;
  bool low = unit >= 0xDC00 && unit < 0xE000;
  if (surrogate_ != 0) {
    append_utf8(low ? 0x10000 + ((surrogate_ - 0xD800) << 10) + (unit - 0xDC00) : kReplacement, text);
    surrogate_ = 0;
    if (low) return;
  }
  if (high) {
    surrogate_ = unit;
  } else {
    append_utf8(low ? kReplacement : unit, text);
  }
}

void TextDecoder::decode(std::span<const char> bytes, std::string& text) {
  if (encoding_ == Encoding::unknown) {
    pending_.append(bytes.data(), bytes.size());
    decide(pending_);
    std::size_t mark = pending_.starts_with("\xFF\xFE") || pending_.starts_with("\xFE\xFF") ? 2
                       : pending_.starts_with("\xEF\xBB\xBF")                               ? 3
                                                                                            : 0;
    pending_.erase(0, mark);
  } else if (encoding_ == Encoding::bytes) {
    text.append(bytes.data(), bytes.size());
    return;
  } else {
    pending_.append(bytes.data(), bytes.size());
  }
  if (encoding_ == Encoding::bytes) {
    text += pending_;
    pending_.clear();
    return;
  }
  std::size_t even = pending_.size() / 2 * 2;
  std::size_t low_at = encoding_ == Encoding::utf16_little ? 0 : 1;
  for (std::size_t i = 0; i < even; i += 2) {
    auto low = static_cast<unsigned char>(pending_[i + low_at]);
    auto high = static_cast<unsigned char>(pending_[i + 1 - low_at]);
    append_unit(static_cast<unsigned>(high) << 8 | low, text);
  }
  pending_.erase(0, even);
}

}  // namespace cutopsy
