#include "engine/report/printable.h"

#include <algorithm>

namespace cutopsy {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

// Length of the well-formed UTF-8 sequence at the start of `text`, 0 when there is none (RFC 3629).
std::size_t sequence_length(std::string_view text) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  unsigned char first = byte(0);
  std::size_t length = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  bool beyond = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
  return overlong || beyond ? 0 : length;
}

// C0 and C1 controls, U+FFFE and U+FFFF, which XML does not have, and the bidirectional marks that can make text read
// otherwise than it is (https://trojansource.codes).
bool is_control(std::string_view sequence) {
  auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
  if (sequence.size() == 1) return byte(0) < 0x20 || byte(0) == 0x7F;
  if (sequence.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  if (sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF") return true;
  if (sequence.size() != 3 || byte(0) != 0xE2) return false;
  return (byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE) ||
         (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9);
}

std::string clean(std::string_view text, std::size_t max_bytes, bool keep_lines) {
  std::string out;
  out.reserve(std::min(text.size(), max_bytes) + kEllipsis.size());
  while (!text.empty()) {
    std::size_t length = sequence_length(text);
    std::string_view sequence = text.substr(0, std::max<std::size_t>(length, 1));
    bool white = sequence == "\n" || sequence == "\t" || sequence == "\r";
    std::string_view shown = sequence;
    if (white) {
      shown = keep_lines && sequence != "\r" ? sequence : " ";
    } else if (length == 0 || is_control(sequence)) {
      shown = kReplacement;
    }
    if (out.size() + shown.size() > max_bytes) return out.append(kEllipsis);
    out += shown;
    text.remove_prefix(sequence.size());
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text, std::size_t max_bytes) {
  return clean(text, max_bytes, false);
}

std::string printable_lines(std::string_view text, std::size_t max_bytes) {
  return clean(text, max_bytes, true);
}

}  // namespace cutopsy
