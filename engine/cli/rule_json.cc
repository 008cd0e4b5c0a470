#include "engine/cli/rule_json.h"

#include <nlohmann/json.hpp>

#include "engine/cli/rule_page.h"
#include "engine/rule/advice.h"
#include "engine/rule/related.h"

namespace cutopsy {
namespace {

using Json = nlohmann::ordered_json;

Json ids_of(const std::vector<const Rule*>& rules) {
  Json ids = Json::array();
  for (const Rule* rule : rules) ids.push_back(rule->id);
  return ids;
}

}  // namespace

Json rule_json(const Rule& rule, const RuleSet& rules) {
  const Advice advice = parse_advice(rule);
  Json fix = Json::array();
  for (const FixStep& step : advice.fix) {
    fix.push_back({{"do", step.what}});
    if (!step.run.empty()) fix.back()["run"] = step.run;
  }
  Json confirm = Json::array();
  for (const ConfirmBy& by : rule.confirm)
    confirm.push_back({{"check", by.check}, {"expects", by.expects_failure ? "fails" : "holds"}});
  return {{"id", rule.id},
          {"title", rule.title},
          {"severity", to_string(rule.severity)},
          {"status", to_string(rule.status)},
          {"since", rule.since},
          {"replaced_by", rule.replaced_by},
          {"place", place_of(rule)},
          {"cause", advice.cause},
          {"fix", std::move(fix)},
          {"debug", advice.debug},
          {"prevent", advice.prevent},
          {"confirm", std::move(confirm)},
          {"explains", ids_of(consequences_of(rule, rules))},
          {"explained_by", ids_of(causes_of(rule, rules))},
          {"references", advice.references}};
}

std::string as_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cutopsy
