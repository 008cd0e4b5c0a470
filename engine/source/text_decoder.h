// UTF-16 input becomes UTF-8; everything else passes through as it is.
#pragma once

#include <span>
#include <string>

namespace cutopsy {

/// Decides on the first bytes of an input: a UTF-16 byte order mark, or NULs in every second byte of the first line
/// (PowerShell's `>` without a mark). A UTF-8 mark is dropped.
class TextDecoder {
 public:
  /// Appends what `bytes` hold to `text`. Lone surrogates become U+FFFD; an odd last byte waits for the next call.
  void decode(std::span<const char> bytes, std::string& text);
  /// True once the input is known to need no decoding: its bytes can be read straight into a buffer.
  bool passes_through() const { return encoding_ == Encoding::bytes; }

 private:
  enum class Encoding { unknown, bytes, utf16_little, utf16_big };
  void decide(std::string_view first);
  void append_unit(unsigned unit, std::string& text);

  Encoding encoding_ = Encoding::unknown;
  std::string pending_;     // bytes not decoded yet
  unsigned surrogate_ = 0;  // a high surrogate that waits for its low one
};

}  // namespace cutopsy
