#include "engine/cli/rule_selection.h"

#include "engine/cli/rules_actions.h"
#include "engine/rule/nearest.h"

namespace cutopsy {

std::vector<const Rule*> select_rules(const RuleSet& rules, const std::string& name) {
  std::vector<const Rule*> selected;
  std::vector<std::string_view> ids;
  for (const Rule& rule : rules.rules()) {
    if (id_matches(name, rule.id)) selected.push_back(&rule);
    ids.push_back(rule.id);
  }
  if (selected.empty()) {
    constexpr std::size_t kSuggestions = 5;
    const auto near = nearest(name, ids, kSuggestions);
    rules_action::refuse(
        "no rule is '{}'; {}", name,
        near.empty() ? "`cutopsy rules list` names all" : fmt::format("near it: {}", fmt::join(near, ", ")));
  }
  return selected;
}

}  // namespace cutopsy
