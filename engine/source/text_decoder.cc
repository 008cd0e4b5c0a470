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

// NUL in nearly every second byte, from `nul_at` on, and nowhere else: text in UTF-16, most of it ASCII.
bool alternates_with_nul(std::string_view bytes, std::size_t nul_at) {
  constexpr std::size_t kEnough = 32;
  constexpr std::size_t kLookedAt = 256;
  if (bytes.size() < kEnough) return false;
  bytes = bytes.substr(0, std::min(bytes.size(), kLookedAt) / 2 * 2);
  std::size_t nuls = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\0') continue;
    if (i % 2 != nul_at) return false;
    ++nuls;
  }
  return nuls * 4 >= bytes.size() / 2 * 3;
}

// Length of the UTF-8 sequence that `first` begins, 0 when none can begin so.
std::size_t sequence_length(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
}

constexpr std::size_t kProbeBytes = 64;  // a long timestamp has no space
constexpr std::size_t kShortestProbe = 8;

// Words in UTF-8 (or ASCII): well-formed, with a space, without a NUL. Text in UTF-16 has NULs or, where it has no
// letter below U+0100, hardly that many bytes which are well-formed. The last character may be cut off.
bool is_byte_text(std::string_view probe) {
  if (probe.size() < kShortestProbe || probe.find(' ') == probe.npos) return false;
  for (std::size_t i = 0; i < probe.size();) {
    const std::size_t length = sequence_length(static_cast<unsigned char>(probe[i]));
    if (length == 0 || probe[i] == '\0') return false;
    for (std::size_t end = std::min(i + length, probe.size()); ++i < end;) {
      if ((static_cast<unsigned char>(probe[i]) & 0xC0) != 0x80) return false;
    }
  }
  return true;
}

constexpr unsigned kReplacement = 0xFFFD;

}  // namespace

// Chooses the encoding and takes the mark off.
void TextDecoder::decide() {
  constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
  const std::string_view first = pending_;
  std::size_t mark = 0;
  if (first.starts_with("\xFF\xFE") || first.starts_with("\xFE\xFF")) {
    mark = 2;
    encoding_ = first[0] == '\xFF' ? Encoding::utf16_little : Encoding::utf16_big;
  } else if (alternates_with_nul(first, 1)) {
    encoding_ = Encoding::utf16_little;
  } else if (alternates_with_nul(first, 0)) {
    encoding_ = Encoding::utf16_big;
  } else {
    encoding_ = Encoding::bytes;
    if (first.starts_with(kUtf8Mark)) mark = kUtf8Mark.size();
  }
  pending_.erase(0, mark);
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

// Decodes pending units up to the end, or up to the line from which on the input is bytes. `at_end`: no more will come.
void TextDecoder::decode_units(bool at_end, std::string& text) {
  const std::size_t low_at = encoding_ == Encoding::utf16_little ? 0 : 1;
  const std::string_view bytes = pending_;
  std::size_t i = 0;
  for (; i + 2 <= bytes.size(); i += 2) {
    const auto low = static_cast<unsigned char>(bytes[i + low_at]);
    const auto high = static_cast<unsigned char>(bytes[i + 1 - low_at]);
    if (low == '\n' || high == '\n') {
      // A line in bytes may begin after a '\n' of either kind: the text read as UTF-16 so far may have been bytes.
      std::size_t next = bytes[i] == '\n' ? i + 1 : i + 2;
      const bool whole = high == '\0' && low == '\n';
      if (whole) next = i + 2;
      if (next + kProbeBytes > bytes.size() && !at_end) break;
      if (is_byte_text(bytes.substr(next, kProbeBytes))) {
        text += '\n';
        text += bytes.substr(next);
        pending_.clear();
        encoding_ = Encoding::bytes;
        return;
      }
    }
    append_unit(static_cast<unsigned>(high) << 8 | low, text);
  }
  pending_.erase(0, i);
}

void TextDecoder::decode(std::span<const char> bytes, std::string& text) {
  if (encoding_ == Encoding::bytes) {
    text.append(bytes.data(), bytes.size());
    return;
  }
  pending_.append(bytes.data(), bytes.size());
  if (encoding_ == Encoding::unknown) decide();
  if (encoding_ == Encoding::bytes) {
    text += pending_;
    pending_.clear();
  } else {
    decode_units(false, text);
  }
}

void TextDecoder::finish(std::string& text) {
  if (encoding_ == Encoding::utf16_little || encoding_ == Encoding::utf16_big) decode_units(true, text);
  pending_.clear();
}

}  // namespace cutopsy
