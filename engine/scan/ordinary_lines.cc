#include "engine/scan/ordinary_lines.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "engine/scan/substring_index.h"

namespace cutopsy {
namespace {

struct Row {
  std::string_view text;  ///< a word, or the ends of two words and what stands between them
  std::uint32_t lines;
};

constexpr Row kRows[] = {
#include "engine/scan/ordinary_lines.inc"
};

bool is_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '_';
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}

/// A stretch of a literal as rows hold it.
struct Piece {
  std::string_view text;
  bool whole_left = false;  ///< no word goes on to the left: the literal holds what stands there
  bool whole_right = false;
};

bool holds(std::string_view row, const Piece& piece) {
  const bool is_part_of_word = std::ranges::all_of(piece.text, is_word);
  if (is_part_of_word && !std::ranges::all_of(row, is_word)) return false;  // the word has a row of its own
  if (piece.whole_left && piece.whole_right) return row == piece.text;
  if (piece.whole_left) return row.starts_with(piece.text);
  if (piece.whole_right) return row.ends_with(piece.text);
  return row.find(piece.text) != row.npos;
}

std::uint32_t lines_with(const Piece& piece) {
  static const SubstringIndex index = [] {
    std::vector<std::string_view> texts;
    for (const Row& row : kRows) texts.push_back(row.text);
    return SubstringIndex(texts);
  }();
  std::uint32_t lines = 0;
  for (std::uint32_t number : index.that_may_hold(piece.text))
    if (holds(kRows[number].text, piece)) lines += kRows[number].lines;
  return std::min(lines, kOrdinaryLines);
}

/// The words and separators of `text`, which holds no digit, in turn.
std::vector<std::string_view> runs_of(std::string_view text) {
  std::vector<std::string_view> runs;
  while (!text.empty()) {
    const bool word = is_word(text.front());
    const auto end = std::ranges::find_if(text, [&](char c) { return is_word(c) != word; });
    runs.push_back(text.substr(0, static_cast<std::size_t>(end - text.begin())));
    text.remove_prefix(runs.back().size());
  }
  return runs;
}

/// A word alone, or each separator with the words beside it; a digit stands `before` or `after` the text.
std::vector<Piece> pieces_of(std::string_view text, bool before, bool after) {
  const std::vector<std::string_view> runs = runs_of(text);
  if (runs.size() == 1) return {{text, before, after}};
  std::vector<Piece> pieces;
  for (std::size_t i = is_word(text.front()) ? 1 : 0; i < runs.size(); i += 2) {
    const std::size_t first = i == 0 ? 0 : i - 1;
    const std::size_t last = std::min(i + 1, runs.size() - 1);
    const char* const begin = runs[first].data();
    const auto bytes = static_cast<std::size_t>(runs[last].data() + runs[last].size() - begin);
    pieces.push_back({{begin, bytes}, first > 0 || before, last + 1 < runs.size() || after});
  }
  return pieces;
}

}  // namespace

std::uint32_t ordinary_lines(std::string_view literal) {
  constexpr std::size_t kTelling = 2;  // bytes
  std::optional<std::uint32_t> fewest;
  bool before = false;
  while (!literal.empty()) {
    const auto digit = std::ranges::find_if(literal, is_digit);
    const bool after = digit != literal.end();
    const std::string_view part = literal.substr(0, static_cast<std::size_t>(digit - literal.begin()));
    if (!part.empty()) {
      for (const Piece& piece : pieces_of(part, before, after))
        if (piece.text.size() >= kTelling) fewest = std::min(fewest.value_or(kOrdinaryLines), lines_with(piece));
    }
    literal.remove_prefix(part.size() + (after ? 1 : 0));
    before = true;
  }
  return fewest.value_or(0);
}

}  // namespace cutopsy
