// Sequences: ECMA-48, 5th edition, section 5.4 and 5.6. rsyslog writes control characters as '#' and three octal
// digits ($EscapeControlCharactersOnReceive); JSON encoders, repr() and `cat -v` have spellings of their own.
#include "parsers/envelope/control_codes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace cutopsy {
namespace {

constexpr char kEscape = '\x1b';
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
// ESC spelled out; these count only before "[...m" or "[...K".
constexpr std::string_view kSpelledEscapes[] = {"\\u001b", "\\u001B", "\\x1b", "\\x1B",       "\\033",
                                                "\\e",     "^[",      "#033",  "\xE2\x90\x9B"};

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && byte != '\t') || byte == 0x7f;
}

// Eight bytes at a time: is any of them a control character? (A tab only asks for the exact test.)
bool any_control(std::string_view text) {
  constexpr std::uint64_t kOnes = ~std::uint64_t{0} / 255;
  constexpr std::uint64_t kHighs = kOnes * 0x80;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof word);
    const std::uint64_t deleted = word ^ (kOnes * 0x7f);
    const std::uint64_t below_space = (word - kOnes * 0x20) & ~word & kHighs;
    const std::uint64_t is_delete = (deleted - kOnes) & ~deleted & kHighs;
    if ((below_space | is_delete) == 0) continue;
    const std::string_view block = text.substr(at, 8);
    if (std::any_of(block.begin(), block.end(), is_control)) return true;
  }
  const std::string_view tail = text.substr(at);
  return std::any_of(tail.begin(), tail.end(), is_control);
}

// Length of "[31;1m" or "[K" at the beginning of `text`, 0 if it is none.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with('[')) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 1);
  return end != text.npos && (text[end] == 'm' || text[end] == 'K') ? end + 1 : 0;
}

// Length of a spelled colour code at the beginning of `text`, 0 if it is none.
std::size_t spelled_colour_length(std::string_view text) {
  for (std::string_view escape : kSpelledEscapes) {
    if (!text.starts_with(escape)) continue;
    const std::size_t colour = colour_length(text.substr(escape.size()));
    if (colour != 0) return escape.size() + colour;
  }
  return 0;
}

// The character that "#012", "#015", "#011" stand for, or '\0'.
char octal_character(std::string_view text) {
  if (text.starts_with("#012")) return '\n';
  if (text.starts_with("#015")) return '\r';
  if (text.starts_with("#011")) return '\t';
  return '\0';
}

bool starts_spelling(std::string_view text) {
  return octal_character(text) != '\0' || spelled_colour_length(text) != 0 || text.starts_with(kByteOrderMark);
}

bool any_spelling(std::string_view text) {
  for (char first : {'\\', '#', '^', kByteOrderMark[0], '\xE2'}) {
    for (std::size_t at = text.find(first); at != text.npos; at = text.find(first, at + 1)) {
      if (starts_spelling(text.substr(at))) return true;
    }
  }
  return false;
}

class Cleaner {
 public:
  Cleaner(std::string_view text, std::string& out) : text_(text), out_(out) {}

  void run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == kEscape) {
        skip_sequence();
      } else if (is_control(c)) {
        separate(c);
        ++at_;
      } else if (c == '\\' || c == '#' || c == '^' || c == kByteOrderMark[0] || c == '\xE2') {
        read_spelling();
      } else {
        out_.push_back(c);
        ++at_;
      }
    }
  }

 private:
  // Line ends become one '\n' for each run of '\r' with the '\n' that may end it; other control characters vanish.
  void separate(char c) {
    if (c == '\r') {
      if (!out_.empty() && !out_.ends_with('\n')) out_.push_back('\n');
      after_return_ = true;
    } else if (c == '\n') {
      if (!after_return_) out_.push_back('\n');
      after_return_ = false;
    }
  }

  void read_spelling() {
    const std::string_view rest = text_.substr(at_);
    if (const char c = octal_character(rest); c != '\0') {
      if (c == '\t') out_.push_back(c);
      separate(c);
      at_ += 4;
    } else if (const std::size_t length = spelled_colour_length(rest); length != 0) {
      at_ += length;
    } else if (rest.starts_with(kByteOrderMark)) {
      at_ += kByteOrderMark.size();
    } else {
      out_.push_back(text_[at_++]);
    }
  }

  void skip_sequence() {
    ++at_;
    if (at_ == text_.size()) return;
    const char kind = text_[at_];
    if (kind == '[') {
      ++at_;
      skip_csi();
    } else if (std::strchr("]P_^X", kind) != nullptr && kind != '\0') {
      ++at_;
      skip_string();
    } else {
      while (at_ < text_.size() && text_[at_] >= 0x20 && text_[at_] <= 0x2f) ++at_;
      if (at_ < text_.size() && text_[at_] >= 0x30 && text_[at_] <= 0x7e) ++at_;
    }
  }

  // Parameters, intermediates, a final byte. Terminals are moved over blanks: those become spaces.
  void skip_csi() {
    constexpr std::size_t kMaxBlanks = 80;
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] >= 0x20 && text_[at_] <= 0x3f) ++at_;
    if (at_ == text_.size() || text_[at_] < 0x40 || text_[at_] > 0x7e) return;
    if (text_[at_] == 'C') {
      std::size_t blanks = 0;
      for (char c : text_.substr(begin, at_ - begin)) {
        if (c < '0' || c > '9' || blanks > kMaxBlanks) break;
        blanks = blanks * 10 + static_cast<std::size_t>(c - '0');
      }
      out_.append(std::min(blanks, kMaxBlanks), ' ');
    }
    ++at_;
  }

  // A string ends with BEL or ESC '\'. Without an end, only its introducer is skipped.
  void skip_string() {
    if (no_more_string_ends_) return;
    for (std::size_t end = at_; end < text_.size(); ++end) {
      const bool bell = text_[end] == '\a';
      const bool terminator = text_[end] == kEscape && end + 1 < text_.size() && text_[end + 1] == '\\';
      if (!bell && !terminator) continue;
      at_ = end + (bell ? 1 : 2);
      return;
    }
    no_more_string_ends_ = true;
  }

  std::string_view text_;
  std::string& out_;
  std::size_t at_ = 0;
  bool after_return_ = false;
  bool no_more_string_ends_ = false;
};

}  // namespace

bool has_control_codes(std::string_view text) {
  return any_control(text) || any_spelling(text);
}

void clean_text(std::string_view text, std::string& out) {
  out.clear();
  Cleaner(text, out).run();
}

}  // namespace cutopsy
