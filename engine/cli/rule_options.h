// The rules that a command works with: the built-in ones, with those of each --rules laid over them in their order.
#pragma once

#include <string>
#include <vector>

#include "engine/rule/rule_set.h"

namespace cutopsy {

/// Prints every mistake in the files of `paths` to stderr. Returns false when there was one: the caller stops with
/// status 2.
bool load_rule_options(const std::vector<std::string>& paths, RuleSet& rules);

}  // namespace cutopsy
