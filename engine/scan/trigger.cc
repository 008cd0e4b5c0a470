#include "engine/scan/trigger.h"

#include <re2/filtered_re2.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "engine/scan/ordinary_tokens.h"

namespace cutopsy {
namespace {

// An atom of the pattern, in the spellings that the pattern gives it.
struct Atom {
  std::vector<std::string> spellings;
  double frequency = 0;
};

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
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

// The ways in which `text` spells `lowered_part`; `lowered` is `text` in lower case.
std::set<std::string> occurrences(const std::string& lowered_part, const std::string& text,
                                  const std::string& lowered) {
  std::set<std::string> found;
  for (auto at = lowered.find(lowered_part); at != std::string::npos; at = lowered.find(lowered_part, at + 1)) {
    found.insert(text.substr(at, lowered_part.size()));
  }
  return found;
}

// True when the pattern leaves the first letter of the word at `begin` open, as "[Ii]nternal" does: another place in
// the pattern does not tell its case.
bool has_open_initial(std::string_view atom, std::size_t begin, const std::string& lowered) {
  std::size_t end = begin + 1;
  while (end < atom.size() && is_letter(atom[end])) ++end;
  return end > begin + 1 && lowered.find('\x01' + std::string(atom.substr(begin + 1, end - begin - 1))) != lowered.npos;
}

// Spells an atom that the pattern does not hold in one piece ("torch-" of "torch(?:-|==)") word by word; empty when a
// word is spelled in several ways or not at all.
std::string spelled_by_words(const std::string& atom, const std::string& text, const std::string& lowered) {
  std::string spelled = atom;
  for (std::size_t begin = 0; begin < atom.size();) {
    std::size_t end = begin + 1;
    if (is_letter(atom[begin])) {
      while (end < atom.size() && is_letter(atom[end])) ++end;
      auto found = occurrences(atom.substr(begin, end - begin), text, lowered);
      if (found.size() != 1 || has_open_initial(atom, begin, lowered)) return "";
      spelled.replace(begin, end - begin, *found.begin());
    }
    begin = end;
  }
  return spelled;
}

// FilteredRE2 gives atoms in lower case; the pattern's text tells the case. Atoms that the pattern spells only in
// parts ("[Ee]rror") are cut down to the longest part found. Empty when no part of `min_bytes` is found.
std::vector<std::string> spellings(const std::string& atom, const std::string& text, std::size_t min_bytes) {
  std::string lowered(text.size(), '\0');
  std::transform(text.begin(), text.end(), lowered.begin(), lower);
  auto whole = occurrences(atom, text, lowered);
  if (!whole.empty()) return {whole.begin(), whole.end()};
  std::string by_words = spelled_by_words(atom, text, lowered);
  if (!by_words.empty()) return {by_words};
  for (std::size_t bytes = atom.size(); bytes >= min_bytes; --bytes) {
    std::set<std::string> found;
    for (std::size_t begin = 0; begin + bytes <= atom.size(); ++begin) {
      const bool starts_word = is_letter(atom[begin]) && (begin == 0 || !is_letter(atom[begin - 1]));
      if (starts_word && has_open_initial(atom, begin, lowered)) continue;
      found.merge(occurrences(atom.substr(begin, bytes), text, lowered));
      if (!found.empty()) return {found.begin(), found.end()};
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
  double best_frequency = 0;
  for (std::size_t bytes = std::min(kMaxTriggerBytes, spelling.size()); bytes >= kMinTriggerBytes; --bytes) {
    for (std::size_t begin = 0; begin + bytes <= spelling.size(); ++begin) {
      std::string window = spelling.substr(begin, bytes);
      if (!survives_wrapping(window)) continue;
      double frequency = ordinary_frequency(window);
      if (!best || frequency < best_frequency) {
        best = window;
        best_frequency = frequency;
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

// Drops atoms from `chosen`, the most frequent first, while the rest still suffices.
void keep_rarest(const AtomSet& set, const std::vector<Atom>& atoms, std::vector<bool>& chosen) {
  std::vector<std::size_t> order(atoms.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return atoms[a].frequency > atoms[b].frequency; });
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
  const std::string text = literal_text(pattern);
  std::vector<Atom> atoms;
  std::vector<bool> chosen;
  for (const std::string& atom : set.atoms()) {
    Atom known;
    for (const std::string& spelling : spellings(atom, text, kMinTriggerBytes)) {
      auto window = rarest_window(spelling);
      if (!window) {
        known.spellings.clear();
        break;
      }
      known.frequency += ordinary_frequency(*window);
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
  const std::string text = literal_text(pattern);
  std::vector<Atom> atoms;
  std::vector<bool> chosen;
  for (const std::string& atom : set.atoms()) {
    Atom known{spellings(atom, text, kMinLiteralBytes), 0};
    for (const std::string& spelling : known.spellings) known.frequency += ordinary_frequency(spelling);
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
