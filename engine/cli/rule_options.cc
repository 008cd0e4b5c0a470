#include "engine/cli/rule_options.h"

#include <fmt/format.h>

#include <cstdio>

#include "engine/rule/loader.h"

namespace cutopsy {

bool load_rule_options(const std::vector<std::string>& paths, RuleSet& rules) {
  rules = RuleSet::built_in();
  if (paths.empty()) return true;
  LoadedRules loaded = load_rules({paths.begin(), paths.end()});
  for (const RuleProblem& problem : loaded.problems) fmt::print(stderr, "cutopsy: {}\n", to_string(problem));
  if (!loaded.problems.empty()) return false;
  rules = rules.merged_with(loaded.rules);
  return true;
}

}  // namespace cutopsy
