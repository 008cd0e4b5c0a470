// Reads a rule's `match:`: its signatures and how they combine.
#pragma once

#include "engine/rule/rule.h"
#include "engine/rule/rule_set.h"
#include "engine/rule/yaml_checker.h"

namespace cutopsy {

/// Fills in `rule`'s signatures, absent, combine, within_lines and same; `rule.severity` is the signatures' default.
/// Views go to `arena`, mistakes to `check`.
void read_match(const YamlNode& match, YamlChecker& check, RuleArena& arena, Rule& rule);

/// Conditions on the fields of an event of any kind.
std::span<const Predicate> read_conditions(const YamlNode& where, YamlChecker& check, RuleArena& arena);

/// The scope that a `same:` names.
Scope read_scope(const YamlNode& node, YamlChecker& check);

/// The severity that a `severity:` names.
Severity read_severity(const YamlNode& node, YamlChecker& check);

}  // namespace cutopsy
