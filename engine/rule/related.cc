#include "engine/rule/related.h"

#include <algorithm>

namespace cutopsy {
namespace {

std::vector<const Rule*> targets_of(const Relation& relation, const RuleSet& rules) {
  std::vector<const Rule*> targets;
  for (const Rule& rule : rules.rules())
    if (names(relation, rule)) targets.push_back(&rule);
  if (targets.size() > kManyTargets) targets.clear();
  return targets;
}

}  // namespace

std::vector<const Rule*> consequences_of(const Rule& rule, const RuleSet& rules) {
  std::vector<const Rule*> related;
  for (const Relation& relation : rule.explains) {
    const std::vector<const Rule*> targets = targets_of(relation, rules);
    related.insert(related.end(), targets.begin(), targets.end());
  }
  std::erase(related, &rule);
  std::ranges::sort(related, {}, &Rule::id);
  related.erase(std::unique(related.begin(), related.end()), related.end());
  return related;
}

std::vector<const Rule*> causes_of(const Rule& rule, const RuleSet& rules) {
  std::vector<const Rule*> related;
  for (const Rule& other : rules.rules()) {
    const bool explains = std::ranges::any_of(other.explains, [&](const Relation& relation) {
      return names(relation, rule) && !targets_of(relation, rules).empty();
    });
    if (explains && &other != &rule) related.push_back(&other);
  }
  return related;
}

}  // namespace cutopsy
