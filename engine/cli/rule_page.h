// A rule as text for people: `cutopsy rules show`, `cutopsy explain`.
#pragma once

#include <string>

#include "engine/rule/rule_set.h"
#include "parsers/event.h"

namespace cutopsy {

/// For authors of rules: what the rule says and what it matches.
std::string rule_page(const Rule& rule);

/// For people who met the fault: what the rule says, filled in with `fields`, and which rules are related. A field that
/// only a log could tell stands as <name>.
std::string explain_page(const Rule& rule, const RuleSet& rules, const Fields& fields);

/// "file:line" that a rule stands at: of its own row for a row of a table.
std::string place_of(const Rule& rule);

}  // namespace cutopsy
