// UTF-16 input becomes UTF-8; everything else passes through as it is.
#pragma once

#include <span>
#include <string>

namespace cutopsy {

/// Decides on the first bytes of an input: a UTF-16 byte order mark, or NULs in nearly every second byte (PowerShell's
/// `>` without a mark). A UTF-8 mark is dropped. UTF-16 may be followed by lines in bytes (PowerShell's `>`, then
/// another program's append): from there on everything passes through. The reverse needs no decoding, since NULs are
/// taken out of lines later.
class TextDecoder {
 public:
  /// Appends what `bytes` hold to `text`. Lone surrogates become U+FFFD; what needs more bytes waits for the next call.
  void decode(std::span<const char> bytes, std::string& text);
  /// The input is over: appends what waited. An odd last byte is dropped.
  void finish(std::string& text);
  /// True once no more decoding is needed: bytes can be read straight into a buffer.
  bool passes_through() const { return encoding_ == Encoding::bytes; }

 private:
  enum class Encoding { unknown, bytes, utf16_little, utf16_big };
  void decide();
  void decode_units(bool at_end, std::string& text);
  void append_unit(unsigned unit, std::string& text);

  Encoding encoding_ = Encoding::unknown;
  std::string pending_;     // bytes not decoded yet
  unsigned surrogate_ = 0;  // a high surrogate that waits for its low one
};

}  // namespace cutopsy
