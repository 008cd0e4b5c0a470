// A set of rules, and where its storage lives.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rule/rule.h"

namespace cutopsy {

/// Owns what the views of rules loaded at run time point to. Addresses stay valid for the arena's life.
class RuleArena {
 public:
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  template <typename T>
  std::span<const T> keep(std::vector<T> items) {
    if (items.empty()) return {};
    auto block = std::make_shared<std::vector<T>>(std::move(items));
    blocks_.push_back(block);
    return std::span<const T>(block->data(), block->size());
  }

 private:
  std::deque<std::string> texts_;
  std::vector<std::shared_ptr<void>> blocks_;
};

/// Immutable once built; copies share their storage, so that a `const Rule*` holds for every copy. Safe to read from
/// several threads.
class RuleSet {
 public:
  /// The rules built into the binary.
  static RuleSet built_in();

  RuleSet() = default;
  /// Rules whose views `arena` owns, in any order. A later rule of the same id replaces the earlier one.
  RuleSet(std::vector<Rule> rules, std::shared_ptr<const RuleArena> arena);
  /// Rules in static storage, in order of id, each id once, and their digest.
  RuleSet(std::span<const Rule> rules, std::string_view digest) : rules_(rules), digest_(digest) {}

  /// Rules in order of id.
  std::span<const Rule> rules() const { return rules_; }
  /// The rule of that id, or null.
  const Rule* find(std::string_view id) const;
  /// This set with `other`'s rules added; where both have an id, `other`'s wins.
  RuleSet merged_with(const RuleSet& other) const;

  /// This set without the rules that `target` names.
  RuleSet without(std::string_view target) const;

  /// "sha256:..." of every rule's YAML in order of id: two reports with the same digest used the same rules.
  std::string digest() const;

 private:
  std::span<const Rule> rules_;
  std::shared_ptr<const std::vector<Rule>> owned_;  ///< what `rules_` views, null for static storage
  std::vector<std::shared_ptr<const RuleArena>> arenas_;
  std::string_view digest_;  ///< known beforehand for static storage, else ""
};

/// True when `target` (an id, a glob, or "tag:" and a tag) names `rule`.
bool names(std::string_view target, const Rule& rule);
inline bool names(const Relation& relation, const Rule& rule) {
  return names(relation.target, rule);
}

/// True when `id` is `pattern`, or matches it as a glob ('*' stands for any text).
bool id_matches(std::string_view pattern, std::string_view id);

}  // namespace cutopsy
