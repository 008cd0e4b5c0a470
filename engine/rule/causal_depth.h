// How far down the chains of causes a rule stands.
#pragma once

#include <vector>

#include "engine/rule/rule.h"

namespace cutopsy {

/// Fills Rule::causes_above of every rule from their `explains:`. Circles, which lint reports, count as if cut.
void set_causes_above(std::vector<Rule>& rules);

}  // namespace cutopsy
