#include "engine/rule/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace cutopsy {
namespace {

constexpr std::size_t kLongestWord = 80;    // longer words are not names
constexpr std::size_t kListedChoices = 24;  // more are no help in a message

/// Levenshtein distance.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string_view> nearest(std::string_view word, std::span<const std::string_view> choices,
                                      std::size_t limit) {
  if (word.size() > kLongestWord) return {};
  const std::size_t allowed = std::max<std::size_t>(2, word.size() / 3);
  std::vector<std::pair<std::size_t, std::string_view>> near;
  for (std::string_view choice : choices) {
    if (choice.size() > word.size() + allowed || word.size() > choice.size() + allowed) continue;
    const std::size_t distance = edits(word, choice);
    if (distance <= allowed && distance < choice.size()) near.emplace_back(distance, choice);
  }
  std::sort(near.begin(), near.end());
  if (near.size() > limit) near.resize(limit);
  std::vector<std::string_view> words;
  for (const auto& [distance, choice] : near) words.push_back(choice);
  return words;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> choices) {
  if (auto near = nearest(word, choices); !near.empty()) return fmt::format("; did you mean '{}'?", near.front());
  if (choices.empty() || choices.size() > kListedChoices) return "";
  return fmt::format("; known: {}", fmt::join(choices, ", "));
}

}  // namespace cutopsy
