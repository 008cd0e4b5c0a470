// Which relations hold between the rules of a case's findings, looked up once: pairs of findings are many, pairs of
// rules few, and most relations name their target by its id.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/rule/rule.h"

namespace cutopsy {

class RelationTable {
 public:
  explicit RelationTable(std::span<const Rule* const> rules);

  /// The relations of `cause` whose targets name `effect`, both of the table; none between a rule and itself.
  std::span<const Relation* const> between(const Rule& cause, const Rule& effect) const;

 private:
  void add(const Rule& cause, const Relation& relation);

  std::vector<const Rule*> by_id_;  // sorted
  std::unordered_map<const Rule*, std::unordered_map<const Rule*, std::vector<const Relation*>>> relations_;
};

}  // namespace cutopsy
