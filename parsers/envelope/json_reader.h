// Walks over the members of one JSON object without building it. Accepts input that is cut off.
#pragma once

#include <string>
#include <string_view>

namespace cutopsy {

class JsonReader {
 public:
  /// `text` begins with '{'.
  explicit JsonReader(std::string_view text) : text_(text) {}

  /// The next member; false at the end of the object or at the first fault. `value` is a decoded string, a number or
  /// word as printed, the bytes of an array of numbers below 256, or "" for other arrays and for objects. The members
  /// of an object follow it if descend() is called then.
  bool next_member(std::string& key, std::string& value);

  /// True when the last member is an object.
  bool at_object() const { return object_begin_ != kNoObject; }
  /// Steps into that object. Its members follow, then those after it.
  void descend();
  /// How many objects the last member stands in besides the outermost.
  std::size_t depth() const { return depth_; }

 private:
  static constexpr std::size_t kNoObject = static_cast<std::size_t>(-1);

  bool go_to_key();
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks();
  void read_string(std::string& out);
  void read_escape(std::string& out);
  unsigned read_hex4();
  void read_bytes_or_skip(std::string& out);
  void skip_nested();

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::size_t object_begin_ = kNoObject;
};

}  // namespace cutopsy
