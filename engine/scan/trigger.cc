#include "engine/scan/trigger.h"

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <compare>
#include <cstdint>
#include <optional>
#include <set>

#include "engine/scan/ordinary_lines.h"
#include "engine/scan/ordinary_tokens.h"

namespace cutopsy {
namespace {

// How often a search for it stops for nothing: in the lines of systems at work, then in logs of GPU jobs.
struct Commonness {
  std::uint32_t lines = 0;
  double frequency = 0;

  explicit Commonness(std::string_view literal)
      : lines(ordinary_lines(literal)), frequency(ordinary_frequency(literal)) {}
  Commonness() = default;
  auto operator<=>(const Commonness&) const = default;
  void operator+=(const Commonness& other) {
    lines += other.lines;
    frequency += other.frequency;
  }
};

// An atom of the pattern, in the spellings that the pattern gives it.
struct Atom {
  std::vector<std::string> spellings;
  Commonness commonness = {};
};

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

// Names of groups are no text.
std::string without_group_names(std::string_view pattern) {
  static const RE2 named(R"(\(\?P<\w+>)");
  std::string result(pattern);
  RE2::GlobalReplace(&result, named, "(");
  return result;
}

// The pattern's literal text: escaped punctuation unescaped, everything else as it stands.
std::string literal_text(std::string_view pattern) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) {
      ++i;
      text += std::ispunct(static_cast<unsigned char>(pattern[i])) ? pattern[i] : '\x01';
    } else {
      text += std::string_view("()[]{}|*+?.^$").find(pattern[i]) == std::string_view::npos ? pattern[i] : '\x01';
    }
  }
  return text;
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c));
}

// What can stand at each place of the pattern's literal text, in lower case: one character, or the letters of a class
// ("mm" for "[Mm]").
std::vector<std::string> literal_places(std::string_view pattern) {
  std::vector<std::string> places;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::size_t end = pattern[i] == '[' ? pattern.find(']', i) : pattern.npos;
    const bool escaped = pattern[i] == '\\' && i + 1 < pattern.size();
    const std::string_view inside = end == pattern.npos ? "" : pattern.substr(i + 1, end - i - 1);
    if (!inside.empty() && std::all_of(inside.begin(), inside.end(), is_letter)) {
      places.emplace_back(inside.size(), '\0');
      std::transform(inside.begin(), inside.end(), places.back().begin(), lower);
      i = end;
    } else {
      places.emplace_back(1, lower(literal_text(pattern.substr(i, escaped ? 2 : 1))[0]));
      if (escaped) ++i;
    }
  }
  return places;
}

// Whether the pattern spells `lowered_part` with the help of a class somewhere, so in more ways than its text shows.
bool is_spelled_by_class(const std::string& lowered_part, const std::vector<std::string>& places) {
  for (std::size_t at = 0; at + lowered_part.size() <= places.size(); ++at) {
    bool by_class = false;
    bool fits = true;
    for (std::size_t i = 0; fits && i < lowered_part.size(); ++i) {
      const std::string& place = places[at + i];
      fits = place.find(lowered_part[i]) != place.npos;
      by_class = by_class || place.size() > 1;
    }
    if (fits && by_class) return true;
  }
  return false;
}

// The ways in which `text` spells `lowered_part`; `lowered` is `text` in lower case.
std::set<std::string> occurrences(const std::string& lowered_part, const std::string& text,
                                  const std::string& lowered) {
  std::set<std::string> found;
  for (auto at = lowered.find(lowered_part); at != std::string::npos; at = lowered.find(lowered_part, at + 1)) {
    found.insert(text.substr(at, lowered_part.size()));
  }
  return found;
}

// Spells an atom that the pattern does not hold in one piece ("torch-" of "torch(?:-|==)") word by word; empty when a
// word is spelled in several ways or not at all.
std::string spelled_by_words(const std::string& atom, const std::string& text, const std::vector<std::string>& places,
                             const std::string& lowered) {
  std::string spelled = atom;
  for (std::size_t begin = 0; begin < atom.size();) {
    std::size_t end = begin + 1;
    if (is_letter(atom[begin])) {
      while (end < atom.size() && is_letter(atom[end])) ++end;
      const std::string word = atom.substr(begin, end - begin);
      auto found = occurrences(word, text, lowered);
      if (found.size() != 1 || is_spelled_by_class(word, places)) return "";
      spelled.replace(begin, end - begin, *found.begin());
    }
    begin = end;
  }
  return spelled;
}

// Whether `found`, spellings of `part`, leave out none: in another place, in pieces, the pattern may spell a word of it
// otherwise ("CUDA is required|Cuda (?:is )?missing" has the atom "cuda " twice, but "CUDA " once).
bool are_all_spellings(const std::string& part, const std::set<std::string>& found, const std::string& text,
                       const std::string& lowered) {
  constexpr std::size_t kMinWord = 3;  // shorter ones stand within other words
  for (std::size_t begin = 0; begin < part.size();) {
    std::size_t end = begin;
    while (end < part.size() && is_letter(part[end])) ++end;
    if (end - begin >= kMinWord) {
      std::set<std::string> words;
      for (const std::string& spelling : found) words.insert(spelling.substr(begin, end - begin));
      if (words != occurrences(part.substr(begin, end - begin), text, lowered)) return false;
    }
    begin = end + 1;
  }
  return true;
}

// FilteredRE2 gives atoms in lower case; the pattern's text tells the case. Atoms that the pattern spells only in
// parts, be it in one of several places ("[Ee]rror|anError"), are cut down to the longest part that it spells as it
// stands. Empty when no part of `min_bytes` is found.
std::vector<std::string> spellings(const std::string& atom, const std::string& text,
                                   const std::vector<std::string>& places, std::size_t min_bytes) {
  std::string lowered(text.size(), '\0');
  std::transform(text.begin(), text.end(), lowered.begin(), lower);
  const bool has_class = is_spelled_by_class(atom, places);
  auto whole = occurrences(atom, text, lowered);
  if (!whole.empty() && !has_class && are_all_spellings(atom, whole, text, lowered))
    return {whole.begin(), whole.end()};
  std::string by_words = has_class ? "" : spelled_by_words(atom, text, places, lowered);
  if (!by_words.empty()) return {by_words};
  for (std::size_t bytes = atom.size(); bytes >= min_bytes; --bytes) {
    for (std::size_t begin = 0; begin + bytes <= atom.size(); ++begin) {
      std::set<std::string> found;
      const std::string part = atom.substr(begin, bytes);
      if (!is_spelled_by_class(part, places)) found = occurrences(part, text, lowered);
      if (!found.empty() && are_all_spellings(part, found, text, lowered)) return {found.begin(), found.end()};
    }
  }
  return {};
}

// Wrappers escape or break these bytes, so a trigger must not hold them.
bool survives_wrapping(std::string_view window) {
  return std::all_of(window.begin(), window.end(), [](char c) {
    return c >= ' ' && c <= '~' && std::string_view("\"'\\<>&`").find(c) == std::string_view::npos;
  });
}

// The window of kMinTriggerBytes to kMaxTriggerBytes that is rarest in ordinary logs; of equals the longest.
std::optional<std::string> rarest_window(const std::string& spelling) {
  std::optional<std::string> best;
  Commonness least;
  for (std::size_t bytes = std::min(kMaxTriggerBytes, spelling.size()); bytes >= kMinTriggerBytes; --bytes) {
    for (std::size_t begin = 0; begin + bytes <= spelling.size(); ++begin) {
      std::string window = spelling.substr(begin, bytes);
      if (!survives_wrapping(window)) continue;
      const Commonness commonness(window);
      if (!best || commonness < least) {
        best = window;
        least = commonness;
      }
    }
  }
  return best;
}

class AtomSet {
 public:
  AtomSet(std::string_view pattern, int min_atom_bytes) : filter_(min_atom_bytes) {
    RE2::Options options;
    options.set_log_errors(false);
    int id = 0;
    compiles_ = filter_.Add(std::string(pattern), options, &id) == RE2::NoError;
    if (compiles_) filter_.Compile(&atoms_);
  }

  bool compiles() const { return compiles_; }
  const std::vector<std::string>& atoms() const { return atoms_; }

  // True when no text without any atom of `chosen` can match.
  bool sufficient(const std::vector<bool>& chosen) const {
    if (atoms_.empty()) return false;
    std::vector<int> others;
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      if (!chosen[i]) others.push_back(static_cast<int>(i));
    }
    std::vector<int> potentials;
    filter_.AllPotentials(others, &potentials);
    return potentials.empty();
  }

 private:
  re2::FilteredRE2 filter_;
  std::vector<std::string> atoms_;
  bool compiles_ = false;
};

// Drops atoms from `chosen`, the commonest first, while the rest still suffices.
void keep_rarest(const AtomSet& set, const std::vector<Atom>& atoms, std::vector<bool>& chosen) {
  std::vector<std::size_t> order(atoms.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return atoms[a].commonness > atoms[b].commonness; });
  for (std::size_t i : order) {
    if (!chosen[i]) continue;
    chosen[i] = false;
    if (!set.sufficient(chosen)) chosen[i] = true;
  }
}

}  // namespace

std::vector<std::string> derive_trigger(std::string_view pattern, std::string* why_not) {
  auto refuse = [&](const char* reason) {
    if (why_not) *why_not = reason;
    return std::vector<std::string>{};
  };
  if (pattern.find("(?i") != std::string_view::npos) {
    return refuse("(?i) makes every spelling a trigger; write the spellings that occur, e.g. [Ee]rror");
  }
  AtomSet set(pattern, kMinTriggerBytes);
  if (!set.compiles()) return refuse("the pattern does not compile");
  const std::string unnamed = without_group_names(pattern);
  const std::string text = literal_text(unnamed);
  const std::vector<std::string> places = literal_places(unnamed);
  std::vector<Atom> atoms;
  std::vector<bool> chosen;
  for (const std::string& atom : set.atoms()) {
    Atom known;
    for (const std::string& spelling : spellings(atom, text, places, kMinTriggerBytes)) {
      auto window = rarest_window(spelling);
      if (!window) {
        known.spellings.clear();
        break;
      }
      known.commonness += Commonness(*window);
      known.spellings.push_back(*window);
    }
    chosen.push_back(!known.spellings.empty());
    atoms.push_back(std::move(known));
  }
  if (!set.sufficient(chosen)) {
    return refuse(
        "it can match without a literal of 5 characters or more (quotes, backslashes, < > & do not count); make every "
        "alternative hold one");
  }
  keep_rarest(set, atoms, chosen);
  std::set<std::string> triggers;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (chosen[i]) triggers.insert(atoms[i].spellings.begin(), atoms[i].spellings.end());
  }
  return {triggers.begin(), triggers.end()};
}

std::vector<std::string> required_literals(std::string_view pattern) {
  constexpr std::size_t kMinLiteralBytes = 3;
  if (pattern.find("(?i") != std::string_view::npos) return {};
  AtomSet set(pattern, kMinLiteralBytes);
  if (!set.compiles()) return {};
  const std::string unnamed = without_group_names(pattern);
  const std::string text = literal_text(unnamed);
  const std::vector<std::string> places = literal_places(unnamed);
  std::vector<Atom> atoms;
  std::vector<bool> chosen;
  for (const std::string& atom : set.atoms()) {
    Atom known{spellings(atom, text, places, kMinLiteralBytes)};
    for (const std::string& spelling : known.spellings) known.commonness += Commonness(spelling);
    chosen.push_back(!known.spellings.empty());
    atoms.push_back(std::move(known));
  }
  if (!set.sufficient(chosen)) return {};
  keep_rarest(set, atoms, chosen);
  std::set<std::string> literals;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (chosen[i]) literals.insert(atoms[i].spellings.begin(), atoms[i].spellings.end());
  }
  return {literals.begin(), literals.end()};
}

}  // namespace cutopsy
