// A first version of a rule, drafted from a log that has the fault: `cutopsy rules new`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/match/rule_index.h"

namespace cutopsy {

/// A rule file with one rule that matches the fault at `line` of the log, or, without a line, the fault that no rule
/// knows: its signature (numbers and paths masked), an example with the fields that were found, and "TODO" where only
/// a person can say more. Throws SourceError when the log cannot be read, or holds nothing to draft from.
std::string draft_rule(const RuleIndex& index, const std::string& log, std::optional<std::uint64_t> line);

}  // namespace cutopsy
