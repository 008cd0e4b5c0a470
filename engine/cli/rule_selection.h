// The rules that a name on the command line stands for.
#pragma once

#include <string>
#include <vector>

#include "engine/rule/rule_set.h"

namespace cutopsy {

/// The rules whose id is `name` or matches it as a glob; when there are none, says so on stderr with the nearest ids.
std::vector<const Rule*> select_rules(const RuleSet& rules, const std::string& name);

}  // namespace cutopsy
