// A first version of a rule, drafted from a log that has the fault: `cutopsy rules new`.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/match/rule_index.h"

namespace cutopsy {

/// A rule file with one rule that matches the fault at the line of the log that `lines` names (two: what stands at the
/// one and then at the other), or, without a line, the fault that no rule knows: its signature (numbers and paths
/// masked), an example with the fields that were found, and "TODO" where only a person can say more. Throws SourceError
/// when the log cannot be read, or holds nothing to draft from.
std::string draft_rule(const RuleIndex& index, const std::string& log, std::span<const std::uint64_t> lines);

}  // namespace cutopsy
