// Checks across rules, for their authors; what is wrong within one rule the loader says.
#pragma once

#include <vector>

#include "engine/rule/loader.h"
#include "engine/rule/problem.h"
#include "engine/rule/rule_set.h"

namespace cutopsy {

/// Reports, in order of file and line:
///   unknown-rule         `explains`, `clears` or `replaced_by` names a rule that is not there
///   cyclic-relation      causes that explain each other
///   unknown-placeholder  {field} in a text that nothing of the rule's signatures can fill in
///   missing-example      no log that the rule matches
///   missing-near-miss    no log that the rule must not match (`not:`); one for a whole table is enough
///   missing-reference    no page that says more
///   unknown-fact         `shows` or {facts.name} names a fact that no parser gives
///   unknown-check        `confirm` names a check that is not there, or a parameter that the check does not have
///   common-trigger       a `line` is searched by a text that more than 1 in 100,000 ordinary lines hold
///   todo-text            a text still holds the TODO of a draft
std::vector<RuleProblem> lint_rules(const RuleSet& rules);

/// The problems of loading, then those that lint_rules() finds in the loaded rules, which may name any of `others`.
/// unknown-rule is left out while rules are missing because they did not load.
std::vector<RuleProblem> lint_loaded(const LoadedRules& loaded, const RuleSet& others = {});

}  // namespace cutopsy
