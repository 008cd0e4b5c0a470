// Walks over the members of one JSON object without building it. Accepts input that is cut off.
#pragma once

#include <string>
#include <string_view>

namespace cutopsy {

class JsonReader {
 public:
  /// `text` begins with '{'.
  explicit JsonReader(std::string_view text) : text_(text) {}

  /// The next member of the object; false at its end or at the first fault. `value` is a decoded string, a number or
  /// word as printed, the bytes of an array of numbers below 256, or "" for objects and other arrays.
  bool next_member(std::string& key, std::string& value);

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks();
  void read_string(std::string& out);
  void read_escape(std::string& out);
  unsigned read_hex4();
  void read_bytes_or_skip(std::string& out);
  void skip_nested();

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace cutopsy
