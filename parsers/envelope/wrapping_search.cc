#include <array>
#include <span>
#include <vector>

#include "parsers/envelope/wrappings.h"

namespace cutopsy {
namespace {

constexpr Timestamp kNoTime;

// The rows by how they begin, so that a line without wrapping is compared with few.
class Index {
 public:
  Index() {
    for (const Wrapping& wrapping : wrappings()) {
      Entry entry{&wrapping, WrappingPattern(wrapping.pattern)};
      if (entry.pattern.starts_with_time()) {
        by_time_.push_back(std::move(entry));
      } else if (entry.pattern.starts_with_bracket_time()) {
        by_bracket_time_.push_back(std::move(entry));
      } else {
        others_.push_back(std::move(entry));
      }
    }
    for (std::size_t i = 0; i < others_.size(); ++i) {
      const std::bitset<256> first = others_[i].pattern.first_bytes();
      for (std::size_t byte = 0; byte < first.size(); ++byte) {
        if (!first[byte]) continue;
        Rows& rows = by_byte_[byte];
        rows.indexes.push_back(static_cast<std::uint8_t>(i));
        if (others_[i].wrapping->kind == Wrapping::Kind::kernel) rows.to_last_of_kernel = rows.indexes.size();
      }
    }
  }

  const Wrapping* find(std::string_view text, bool only_kernel, WrappingMatch& match) const {
    if (text.empty()) return nullptr;
    if (const Timestamp time = read_timestamp(text); time.length > 0) {
      if (const Wrapping* found = find_in(by_time_, text, time, time.length, match)) return found;
    }
    if (text[0] == '[') {
      const Timestamp time = read_timestamp(text.substr(1));
      if (time.length > 0) {
        if (const Wrapping* found = find_in(by_bracket_time_, text, time, 1 + time.length, match)) return found;
      }
    }
    const Rows& rows = by_byte_[static_cast<unsigned char>(text[0])];
    const std::span<const std::uint8_t> indexes = rows.indexes;
    for (std::uint8_t i : only_kernel ? indexes.first(rows.to_last_of_kernel) : indexes) {
      const WrappingPattern& pattern = others_[i].pattern;
      if (pattern.may_match(text) && pattern.match(text, kNoTime, match)) return others_[i].wrapping;
    }
    return nullptr;
  }

 private:
  struct Entry {
    const Wrapping* wrapping;
    WrappingPattern pattern;
  };

  // Rows of others_ that can begin with one byte.
  struct Rows {
    std::vector<std::uint8_t> indexes;
    std::size_t to_last_of_kernel = 0;  // how many stand up to the last one of a kernel log
  };

  static const Wrapping* find_in(const std::vector<Entry>& entries, std::string_view text, const Timestamp& time,
                                 std::size_t time_end, WrappingMatch& match) {
    const std::string_view rest = text.substr(time_end);
    for (const Entry& entry : entries) {
      if (entry.pattern.may_match(rest) && entry.pattern.match(text, time, match)) return entry.wrapping;
    }
    return nullptr;
  }

  std::vector<Entry> by_time_;
  std::vector<Entry> by_bracket_time_;
  std::vector<Entry> others_;
  std::array<Rows, 256> by_byte_;
};

}  // namespace

const Wrapping* find_wrapping(std::string_view text, bool only_kernel, WrappingMatch& match) {
  static const Index index;
  return index.find(text, only_kernel, match);
}

}  // namespace cutopsy
