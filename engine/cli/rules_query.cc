#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "engine/cli/output.h"
#include "engine/cli/rule_json.h"
#include "engine/cli/rule_options.h"
#include "engine/cli/rule_page.h"
#include "engine/cli/rule_selection.h"
#include "engine/cli/rules_actions.h"
#include "engine/report/message.h"
#include "engine/report/wrap.h"
#include "engine/rule/loader.h"
#include "engine/rule/nearest.h"
#include "engine/rule/rule_changes.h"
#include "engine/rule/rule_schema.h"
#include "parsers/event_kinds.h"

namespace cutopsy::rules_action {
namespace {

using Json = nlohmann::ordered_json;

std::string_view family_of(const Rule& rule) {
  return rule.id.substr(0, rule.id.find('/'));
}

/// A cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string result;
  for (char c : text) result += c == '|' ? "\\|" : std::string(1, c);
  return result;
}

std::string table_of(const std::vector<const Rule*>& rules) {
  std::string text = "| rule | severity | status | what it says |\n|---|---|---|---|\n";
  for (const Rule* rule : rules)
    text += fmt::format("| `{}` | {} | {} | {} |\n", rule->id, to_string(rule->severity), to_string(rule->status),
                        cell(rule->title));
  return text;
}

std::string lines_of(const std::vector<const Rule*>& rules) {
  std::size_t width = 0;
  for (const Rule* rule : rules) width = std::max(width, rule->id.size());
  std::string text;
  for (const Rule* rule : rules) {
    const bool is_stable = rule->status == RuleStatus::stable;
    text += fmt::format("{:{}}  {:7}  {}{}\n", rule->id, width, to_string(rule->severity), rule->title,
                        is_stable ? "" : fmt::format(" ({})", to_string(rule->status)));
  }
  return text;
}

std::string json_of(const std::vector<const Rule*>& rules) {
  Json json = Json::array();
  for (const Rule* rule : rules)
    json.push_back({{"id", rule->id},
                    {"severity", to_string(rule->severity)},
                    {"status", to_string(rule->status)},
                    {"title", rule->title},
                    {"place", place_of(*rule)}});
  return as_text(json);
}

std::vector<LoadedRules> layers_of(const std::vector<std::string>& paths) {
  std::vector<LoadedRules> layers;
  for (const std::string& path : paths) layers.push_back(load_rules({path}));
  return layers;
}

/// What each layer of rules does to one id: the built-in rules, then each --rules in its order.
std::string origin_of(std::string_view id, const std::vector<LoadedRules>& layers) {
  const RuleSet built_in = RuleSet::built_in();
  const Rule* known = built_in.find(id);
  std::string text = known ? fmt::format("  {}: built in\n", place_of(*known)) : "";
  for (const LoadedRules& layer : layers) {
    if (const Rule* rule = layer.rules.find(id)) {
      text += fmt::format("  {}: {} it\n", place_of(*rule), text.empty() ? "adds" : "stands in for");
      known = rule;
    }
    for (const Amendment& amendment : layer.amendments) {
      if (!known || !names(amendment.target, *known)) continue;
      const bool disables = amendment.kind == Amendment::Kind::disable;
      text += fmt::format("  {}:{}: {}s {}it\n", amendment.file, amendment.node.line, to_string(amendment.kind),
                          disables ? "" : "to ");
    }
  }
  return text.empty() ? "" : "Origin, the last wins\n" + text;
}

constexpr std::string_view kBuiltIn = "built-in";
constexpr std::size_t kWidth = 100;  // of lists of fields

/// The rules of a file or folder laid over `base`, or the built-in ones.
bool load_side(const std::string& name, const RuleSet& base, RuleSet& rules) {
  if (name == kBuiltIn) {
    rules = RuleSet::built_in();
    return true;
  }
  LoadedRules loaded = load_rules({name});
  rules = laid_over(base, loaded);
  for (const RuleProblem& problem : loaded.problems) print_message("cutopsy rules: {}\n", to_string(problem));
  return loaded.problems.empty();
}

std::string_view verb_of(RuleChange::Kind kind) {
  if (kind == RuleChange::Kind::added) return "added";
  return kind == RuleChange::Kind::removed ? "removed" : "changed";
}

std::string changes_as(std::string_view format, const std::vector<RuleChange>& changes) {
  if (format == "json") {
    Json json = Json::array();
    for (const RuleChange& change : changes)
      json.push_back(
          {{"change", verb_of(change.kind)}, {"id", change.id}, {"title", change.title}, {"parts", change.parts}});
    return as_text(json);
  }
  std::string text;
  const bool is_list = format == "md";
  for (const RuleChange& change : changes) {
    const std::string_view form = is_list ? "- {} `{}`: {}{}\n" : "{:7}  {}  {}{}\n";
    const std::string parts = change.parts.empty() ? "" : fmt::format(" ({})", fmt::join(change.parts, ", "));
    text += fmt::format(fmt::runtime(form), verb_of(change.kind), change.id, change.title, parts);
  }
  return text;
}

}  // namespace

int list(const RulesRequest& request) {
  RuleSet rules;
  if (!load_rule_options(request.rules, rules)) return kUsage;
  std::vector<const Rule*> selected;
  std::set<std::string_view> families;
  for (const Rule& rule : rules.rules()) {
    families.insert(family_of(rule));
    const bool wanted = (request.family.empty() || family_of(rule) == request.family) &&
                        (request.severity.empty() || to_string(rule.severity) == request.severity) &&
                        (request.status.empty() || to_string(rule.status) == request.status);
    if (wanted) selected.push_back(&rule);
  }
  if (!request.family.empty() && !families.contains(request.family))
    return refuse("--family: no rules in '{}'; families: {}", request.family, fmt::join(families, ", "));
  if (request.format == "json") return print_plain_result(json_of(selected), kGood);
  return print_plain_result(request.format == "md" ? table_of(selected) : lines_of(selected), kGood);
}

int show(const RulesRequest& request) {
  if (request.names.empty()) return refuse("show: name a rule, e.g. cutopsy rules show assert/label-out-of-range");
  RuleSet rules;
  if (!load_rule_options(request.rules, rules)) return kUsage;
  const std::vector<LoadedRules> layers = request.origin ? layers_of(request.rules) : std::vector<LoadedRules>();
  std::string text;
  Json json = Json::array();
  int status = kGood;
  for (const std::string& name : request.names) {
    const std::string origin = request.origin ? origin_of(name, layers) : "";
    if (!origin.empty() && !rules.find(name)) {  // disabled
      text += fmt::format("{}\n{}", name, origin);
      continue;
    }
    const std::vector<const Rule*> selected = select_rules(rules, name);
    if (selected.empty()) status = kUsage;
    for (const Rule* rule : selected) {
      text += (text.empty() ? "" : "\n") + rule_page(*rule);
      if (request.origin) text += "\n" + origin_of(rule->id, layers);
      json.push_back(rule_json(*rule, rules));
    }
  }
  return print_plain_result(request.format == "json" ? as_text(json) : text, status);
}

int events(const RulesRequest& request) {
  std::vector<std::string> wanted = request.names;
  if (wanted.empty()) wanted.push_back("*");
  std::string text;
  Json json = Json::array();
  for (const std::string& name : wanted) {
    const std::size_t before = json.size();
    for (const EventKind& kind : event_kinds()) {
      if (!id_matches(name, kind.name)) continue;
      text += fmt::format("{:24}  {}\n", kind.name, kind.meaning);
      if (!request.names.empty()) text += wrap(fmt::format("{}", fmt::join(kind.fields, ", ")), kWidth, "  ");
      json.push_back({{"kind", kind.name}, {"meaning", kind.meaning}, {"fields", kind.fields}});
    }
    if (json.size() > before) continue;
    std::vector<std::string_view> known;
    for (const EventKind& kind : event_kinds()) known.push_back(kind.name);
    return refuse("events: no parser gives '{}'{}", name, suggestion(name, known));
  }
  return print_plain_result(request.format == "json" ? as_text(json) : text, kGood);
}

int schema(const RulesRequest&) {
  return print_result(std::string(rule_schema()), kGood);
}

int diff(const RulesRequest& request) {
  if (request.names.size() != 2)
    return refuse("diff: name two rule files or folders, the older first; '{}' is the built-in set", kBuiltIn);
  // Beside the built-in set a folder is what it makes of that set; two folders are compared as they are.
  const bool beside_built_in = request.names[0] == kBuiltIn || request.names[1] == kBuiltIn;
  const RuleSet base = beside_built_in ? RuleSet::built_in() : RuleSet();
  RuleSet before, after;
  if (!load_side(request.names[0], base, before) || !load_side(request.names[1], base, after)) return kUsage;
  const std::vector<RuleChange> changes = rule_changes(before, after);
  return print_plain_result(changes_as(request.format, changes), changes.empty() ? kGood : kFound);
}

}  // namespace cutopsy::rules_action
