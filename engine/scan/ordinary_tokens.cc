#include "engine/scan/ordinary_tokens.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <vector>

#include "engine/scan/substring_index.h"

namespace cutopsy {
namespace {

struct Token {
  std::string_view word;
  double per_thousand_lines;
};

constexpr Token kTokens[] = {
#include "engine/scan/ordinary_tokens.inc"
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Parts of one byte tell nothing of their own.
constexpr std::size_t kMinPartBytes = 2;
// Text that runs over a word's end is rarer than its rarest part: neighbours and punctuation rarely meet.
constexpr double kNeighbour = 0.3;
// A part that no ordinary word holds is not impossible: shorter ones are likelier to turn up.
double unseen(std::size_t bytes) {
  return 0.5 / static_cast<double>(bytes * bytes * bytes);
}

double part_frequency(std::string_view part, bool open_left, bool open_right) {
  static const SubstringIndex index = [] {
    std::vector<std::string_view> words;
    for (const Token& token : kTokens) words.push_back(token.word);
    return SubstringIndex(words);
  }();
  double frequency = 0;
  for (std::uint32_t number : index.that_may_hold(part)) {
    const Token& token = kTokens[number];
    auto at = token.word.find(part);
    if (at == std::string_view::npos) continue;
    if (!open_left && at != 0) continue;
    if (!open_right && at + part.size() != token.word.size()) continue;
    frequency += token.per_thousand_lines;
  }
  return frequency + unseen(part.size());
}

}  // namespace

double ordinary_frequency(std::string_view literal) {
  double rarest = 1000;
  double neighbours = 1;
  bool seen_word = false;
  for (std::size_t i = 0; i < literal.size();) {
    if (!is_word(literal[i])) {
      bool new_run = i == 0 || is_word(literal[i - 1]) || literal[i - 1] == ' ';
      if (literal[i] != ' ' && new_run) neighbours *= kNeighbour;
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < literal.size() && is_word(literal[end])) ++end;
    if (end - i >= kMinPartBytes) {
      rarest = std::min(rarest, part_frequency(literal.substr(i, end - i), i == 0, end == literal.size()));
    }
    if (seen_word) neighbours *= kNeighbour;
    seen_word = true;
    i = end;
  }
  return rarest * neighbours;
}

}  // namespace cutopsy
