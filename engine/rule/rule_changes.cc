#include "engine/rule/rule_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "engine/rule/table_rows.h"
#include "engine/rule/yaml_tree.h"

namespace cutopsy {
namespace {

// Keys whose values people see, or that decide what a rule matches and explains.
constexpr std::string_view kKeys[] = {"title", "severity", "status", "replaced_by", "match",
                                      "tags",  "explains", "clears", "cause",       "fix",
                                      "debug", "prevent",  "shows",  "confirm",     "references"};

YamlNode tree_of(const Rule& rule) {
  const YamlNode pattern = read_yaml(std::string(rule.yaml)).root;
  return rule.row_yaml.empty() ? pattern : expand_row(pattern, read_yaml(std::string(rule.row_yaml)).root);
}

/// Whether both say the same; how it is quoted is no change.
bool same(const YamlNode* before, const YamlNode* after) {
  if (!before || !after) return before == after;
  const auto same_entry = [](const YamlEntry& a, const YamlEntry& b) {
    return a.key.text == b.key.text && same(&a.value, &b.value);
  };
  return before->kind == after->kind && before->text == after->text &&
         std::ranges::equal(before->items, after->items, [](const auto& a, const auto& b) { return same(&a, &b); }) &&
         std::ranges::equal(before->entries, after->entries, same_entry);
}

std::string describe(std::string_view key, const YamlNode* before, const YamlNode* after) {
  if (!before) return fmt::format("{} added", key);
  if (!after) return fmt::format("{} dropped", key);
  constexpr std::size_t kShort = 20;
  const bool is_short =
      before->is_scalar() && after->is_scalar() && before->text.size() <= kShort && after->text.size() <= kShort;
  return is_short ? fmt::format("{} {} -> {}", key, before->text, after->text) : std::string(key);
}

std::vector<std::string> differing_parts(const Rule& before, const Rule& after) {
  const YamlNode old_tree = tree_of(before), new_tree = tree_of(after);
  std::vector<std::string> parts;
  for (std::string_view key : kKeys) {
    const YamlNode* was = old_tree.find(key);
    const YamlNode* is = new_tree.find(key);
    if (!same(was, is)) parts.push_back(describe(key, was, is));
  }
  return parts;
}

}  // namespace

std::vector<RuleChange> rule_changes(const RuleSet& before, const RuleSet& after) {
  std::vector<RuleChange> changes;
  for (const Rule& rule : before.rules()) {
    if (!after.find(rule.id))
      changes.push_back({RuleChange::Kind::removed, std::string(rule.id), std::string(rule.title), {}});
  }
  for (const Rule& rule : after.rules()) {
    const Rule* was = before.find(rule.id);
    RuleChange change{
        was ? RuleChange::Kind::changed : RuleChange::Kind::added, std::string(rule.id), std::string(rule.title), {}};
    if (was) change.parts = differing_parts(*was, rule);
    if (!was || !change.parts.empty()) changes.push_back(std::move(change));
  }
  std::ranges::sort(changes, {}, &RuleChange::id);
  return changes;
}

}  // namespace cutopsy
