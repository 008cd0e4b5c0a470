// A rule as text for people: `cutopsy rules show`.
#pragma once

#include <string>

#include "engine/rule/rule.h"

namespace cutopsy {

std::string rule_page(const Rule& rule);

/// "file:line" that a rule stands at: of its own row for a row of a table.
std::string place_of(const Rule& rule);

}  // namespace cutopsy
