// What changed for users between two sets of rules: `cutopsy rules diff`.
#pragma once

#include <string>
#include <vector>

#include "engine/rule/rule_set.h"

namespace cutopsy {

struct RuleChange {
  enum class Kind { added, removed, changed };
  Kind kind = Kind::changed;
  std::string id;
  std::string title;               ///< of the newer rule, of the older one when it was removed
  std::vector<std::string> parts;  ///< changed: the keys whose values differ, e.g. "severity error -> fatal", "match"
};

/// In order of id. Examples and the order of keys are no change: users see neither.
std::vector<RuleChange> rule_changes(const RuleSet& before, const RuleSet& after);

}  // namespace cutopsy
