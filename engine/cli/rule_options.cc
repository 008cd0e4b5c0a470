#include "engine/cli/rule_options.h"

#include "engine/report/message.h"
#include "engine/rule/loader.h"

namespace cutopsy {

bool load_rule_options(const std::vector<std::string>& paths, RuleSet& rules) {
  rules = RuleSet::built_in();
  if (paths.empty()) return true;
  bool is_good = true;
  for (const std::string& path : paths) {
    LoadedRules loaded = load_rules({path});
    rules = laid_over(rules, loaded);
    for (const RuleProblem& problem : loaded.problems) print_message("cutopsy: {}\n", to_string(problem));
    is_good = is_good && loaded.problems.empty();
  }
  return is_good;
}

}  // namespace cutopsy
