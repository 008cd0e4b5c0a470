// Reads a rule's `match:`: its signatures and how they combine.
#pragma once

#include "engine/rule/rule.h"
#include "engine/rule/rule_set.h"
#include "engine/rule/yaml_checker.h"

namespace cutopsy {

/// Fills in `rule`'s signatures, absent, combine, within_lines and same; `rule.severity` is the signatures' default.
/// Views go to `arena`, mistakes to `check`.
void read_match(const YamlNode& match, YamlChecker& check, RuleArena& arena, Rule& rule);

/// The scope that a `same:` names.
Scope read_scope(const YamlNode& node, YamlChecker& check);

/// The severity that a `severity:` names.
Severity read_severity(const YamlNode& node, YamlChecker& check);

}  // namespace cutopsy
