#include "engine/explain/relation_table.h"

#include <algorithm>

#include "engine/rule/rule_set.h"

namespace cutopsy {

RelationTable::RelationTable(std::span<const Rule* const> rules) : by_id_(rules.begin(), rules.end()) {
  std::sort(by_id_.begin(), by_id_.end(), [](const Rule* a, const Rule* b) { return a->id < b->id; });
  by_id_.erase(std::unique(by_id_.begin(), by_id_.end()), by_id_.end());
  for (const Rule* cause : by_id_) {
    for (const Relation& relation : cause->explains) add(*cause, relation);
  }
}

// A target's text before its first '*' leaves few rules to look at; a tag can be anyone's.
void RelationTable::add(const Rule& cause, const Relation& relation) {
  const bool is_tag = relation.target.starts_with("tag:");
  const std::string_view prefix = is_tag ? std::string_view{} : relation.target.substr(0, relation.target.find('*'));
  auto rule = std::lower_bound(by_id_.begin(), by_id_.end(), prefix,
                               [](const Rule* known, std::string_view id) { return known->id < id; });
  for (; rule != by_id_.end() && (*rule)->id.starts_with(prefix); ++rule) {
    if (*rule != &cause && names(relation, **rule)) relations_[&cause][*rule].push_back(&relation);
  }
}

std::span<const Relation* const> RelationTable::between(const Rule& cause, const Rule& effect) const {
  const auto of_cause = relations_.find(&cause);
  if (of_cause == relations_.end()) return {};
  const auto found = of_cause->second.find(&effect);
  return found == of_cause->second.end() ? std::span<const Relation* const>{} : found->second;
}

}  // namespace cutopsy
