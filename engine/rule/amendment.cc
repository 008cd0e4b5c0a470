#include "engine/rule/amendment.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/rule/loader.h"
#include "engine/rule/nearest.h"
#include "engine/rule/rule_reader.h"
#include "engine/rule/table_rows.h"
#include "engine/rule/yaml_writer.h"

namespace cutopsy {
namespace {

constexpr std::string_view kAppendableKeys[] = {"match", "tags",  "explains",   "clears",  "fix",
                                                "debug", "shows", "references", "confirm", "examples"};

YamlNode sequence_of(std::vector<YamlNode> items) {
  YamlNode node;
  node.kind = YamlNode::Kind::sequence;
  node.items = std::move(items);
  return node;
}

YamlNode key_named(std::string_view name) {
  YamlNode node;
  node.kind = YamlNode::Kind::scalar;
  node.plain = true;
  node.text = name;
  return node;
}

YamlNode* find(YamlNode& mapping, std::string_view key) {
  const auto found =
      std::ranges::find(mapping.entries, key, [](const YamlEntry& entry) { return std::string_view(entry.key.text); });
  return found == mapping.entries.end() ? nullptr : &found->value;
}

/// The signatures of a `match:` that is one signature or any: of them; null for all: and sequence:.
std::optional<std::vector<YamlNode>> alternatives_of(const YamlNode& match) {
  if (match.find("all") || match.find("sequence")) return std::nullopt;
  const YamlNode* any = match.find("any");
  if (!any) return std::vector<YamlNode>{match};
  return any->is_sequence() ? any->items : std::vector<YamlNode>{*any};
}

class Amender {
 public:
  Amender(RuleSet rules, std::vector<RuleProblem>& problems) : rules_(std::move(rules)), problems_(problems) {}

  void apply(const Amendment& amendment) {
    if (amendment.kind == Amendment::Kind::disable) {
      disable(amendment);
    } else {
      grow(amendment);
    }
  }

  RuleSet take() { return std::move(rules_); }

 private:
  void report(const Amendment& amendment, std::string code, std::string message) {
    problems_.push_back(
        {std::move(code), amendment.file, amendment.node.line, amendment.node.column, std::move(message)});
  }

  void report_unknown(const Amendment& amendment) {
    std::vector<std::string_view> ids;
    for (const Rule& rule : rules_.rules()) ids.push_back(rule.id);
    const bool is_tag = amendment.target.starts_with("tag:");
    report(amendment, "unknown-rule",
           fmt::format("{}: no rule {} '{}'{}", to_string(amendment.kind), is_tag ? "has" : "is", amendment.target,
                       suggestion(amendment.target, ids)));
  }

  void disable(const Amendment& amendment) {
    const RuleSet rest = rules_.without(amendment.target);
    if (rest.rules().size() == rules_.rules().size()) return report_unknown(amendment);
    rules_ = rest;
  }

  void grow(const Amendment& amendment) {
    const std::string_view how = to_string(amendment.kind);
    const Rule* rule = rules_.find(amendment.target);
    if (!rule) return report_unknown(amendment);
    YamlNode tree = read_yaml(std::string(rule->yaml)).root;
    if (!rule->row_yaml.empty()) {
      tree = expand_row(tree, read_yaml(std::string(rule->row_yaml)).root);
      std::erase_if(tree.entries, [](const YamlEntry& entry) { return !is_rule_key(entry.key.text); });
    }
    for (const YamlEntry& entry : amendment.node.entries) {
      if (entry.key.text == how) continue;
      const bool in_front = amendment.kind == Amendment::Kind::prepend;
      if (!(entry.key.text == "match" ? add_match(tree, entry.value) : add_list(tree, entry, in_front))) {
        return report(amendment, "not-appendable",
                      fmt::format("{}: {} of {} is not a list that can grow; write the whole rule anew with that id",
                                  how, entry.key.text, amendment.target));
      }
    }
    replace(amendment, sequence_of({std::move(tree)}));
  }

  /// Alternatives have no order.
  static bool add_match(YamlNode& rule, const YamlNode& more) {
    YamlNode* match = find(rule, "match");
    auto alternatives = match ? alternatives_of(*match) : std::nullopt;
    const auto added = alternatives_of(more);
    if (!alternatives || !added) return false;
    YamlNode absent;
    if (const YamlNode* found = match->find("not")) absent = *found;
    std::erase_if(alternatives->front().entries, [](const YamlEntry& entry) { return entry.key.text == "not"; });
    alternatives->insert(alternatives->end(), added->begin(), added->end());
    match->entries = {{key_named("any"), sequence_of(std::move(*alternatives))}};
    if (!absent.is_null()) match->entries.push_back({key_named("not"), std::move(absent)});
    return true;
  }

  static bool add_list(YamlNode& rule, const YamlEntry& more, bool in_front) {
    YamlNode* list = find(rule, more.key.text);
    if (!list) {
      rule.entries.push_back(more);
      return true;
    }
    if (!list->is_sequence() || !more.value.is_sequence()) return false;
    list->items.insert(in_front ? list->items.begin() : list->items.end(), more.value.items.begin(),
                       more.value.items.end());
    return true;
  }

  /// Reads the grown rule as if it stood where the amendment stands.
  void replace(const Amendment& amendment, const YamlNode& list) {
    const std::string lines_before(static_cast<std::size_t>(std::max(0, amendment.node.line - 1)), '\n');
    const LoadedRules grown = load_rules_from_text(amendment.file, lines_before + write_yaml(list));
    for (const RuleProblem& problem : grown.problems) report(amendment, problem.code, problem.message);
    rules_ = rules_.merged_with(grown.rules);
  }

  RuleSet rules_;
  std::vector<RuleProblem>& problems_;
};

}  // namespace

std::string_view to_string(Amendment::Kind kind) {
  switch (kind) {
    case Amendment::Kind::disable:
      return "disable";
    case Amendment::Kind::append:
      return "append";
    case Amendment::Kind::prepend:
      return "prepend";
  }
  return "";
}

std::span<const std::string_view> appendable_keys() {
  return kAppendableKeys;
}

RuleSet amended(const RuleSet& rules, const std::vector<Amendment>& amendments, std::vector<RuleProblem>& problems) {
  Amender amender(rules, problems);
  for (const Amendment& amendment : amendments) amender.apply(amendment);
  return amender.take();
}

}  // namespace cutopsy
