// Fixed wordings of programs: a literal that finds the sentence, and a pattern that takes its details.
//
// Dialects whose lines each say one thing are tables of phrases. A phrase matches only where its literal stands, so
// the literals of a table are sufficient scanner triggers (triggers_of).
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "parsers/event.h"
#include "parsers/pair_filter.h"

namespace cutopsy {

struct Phrase {
  /// A field that the wording tells without printing it.
  struct Implied {
    std::string_view name;
    std::string_view value;
  };

  std::string_view literal;  ///< stands in every text that says this
  const char* pattern;       ///< RE2, searched in the text as bytes; named groups become fields
  std::string_view emitter = {};
  Implied implies = {};
};

/// A table of phrases. Patterns are compiled on first use; thread-safe.
class PhraseBook {
 public:
  /// `phrases` must outlive the book (tables are static).
  explicit PhraseBook(std::span<const Phrase> phrases);
  ~PhraseBook();

  /// The first phrase of the table that `text` holds, its fields added to `fields`; null when there is none.
  const Phrase* find(std::string_view text, Fields& fields) const;
  /// Adds the fields of every phrase that `text` holds; of one name, the first in the table wins.
  void collect(std::string_view text, Fields& fields) const;

 private:
  struct Compiled;
  bool read(std::size_t index, std::string_view text, const PairFilter& pairs, Fields& fields) const;

  std::span<const Phrase> phrases_;
  std::unique_ptr<Compiled[]> compiled_;
};

/// The literals of `phrases` as triggers of a parser (parser.h says what makes a literal fit; a misfit does not
/// compile).
template <std::size_t N>
consteval std::array<std::string_view, N> triggers_of(const Phrase (&phrases)[N]) {
  std::array<std::string_view, N> triggers;
  for (std::size_t i = 0; i < N; ++i) {
    const std::string_view literal = phrases[i].literal;
    if (literal.size() < 5 || literal.size() > 24) throw "a trigger has 5 to 24 bytes";
    if (literal.find_first_of("\"'\\<>&") != literal.npos) throw "wrappers escape a character of this trigger";
    triggers[i] = literal;
  }
  return triggers;
}

}  // namespace cutopsy
