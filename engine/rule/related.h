// Which rules a rule is tied to, by what they say they explain.
#pragma once

#include <vector>

#include "engine/rule/rule_set.h"

namespace cutopsy {

/// In order of id; a rule is not related to itself. Relations that name more than `kManyTargets` rules at once (tags
/// and globs for "anything that fails after me") say nothing of the single rule and are left out.
inline constexpr std::size_t kManyTargets = 12;

/// The rules whose findings `rule` explains.
std::vector<const Rule*> consequences_of(const Rule& rule, const RuleSet& rules);
/// The rules that explain findings of `rule`.
std::vector<const Rule*> causes_of(const Rule& rule, const RuleSet& rules);

}  // namespace cutopsy
