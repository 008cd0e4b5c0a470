#include "engine/rule/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/rule/table_rows.h"
#include "engine/rule/yaml_checker.h"

namespace cutopsy {
namespace {

constexpr std::string_view kFixKeys[] = {"do", "run"};
constexpr std::string_view kExampleKeys[] = {"log", "not", "todo", "fields"};
constexpr std::string_view kExampleForms[] = {"log", "not", "todo"};

std::string text_of(const YamlNode& mapping, std::string_view key, YamlChecker& check) {
  const YamlNode* node = mapping.find(key);
  return node ? std::string(check.text(*node, key).value_or("")) : "";
}

std::vector<std::string> texts_of(const YamlNode& mapping, std::string_view key, YamlChecker& check) {
  const YamlNode* node = mapping.find(key);
  if (!node) return {};
  const std::vector<std::string_view> texts = check.texts(*node, key);
  return {texts.begin(), texts.end()};
}

std::vector<FixStep> fix_of(const YamlNode& rule, YamlChecker& check) {
  std::vector<FixStep> steps;
  const YamlNode* fix = rule.find("fix");
  if (!fix || !check.is_list(*fix, "fix")) return steps;
  for (const YamlNode& item : fix->items) {
    if (!check.is_mapping(item, "a step of fix", kFixKeys)) continue;
    if (!item.find("do")) check.report(item, "missing-key", "a step of fix says in 'do' what to do; add it");
    steps.push_back({text_of(item, "do", check), text_of(item, "run", check)});
  }
  return steps;
}

std::vector<std::string> references_of(const YamlNode& rule, YamlChecker& check) {
  std::vector<std::string> references = texts_of(rule, "references", check);
  for (const std::string& reference : references) {
    if (reference.starts_with("https://") || reference.starts_with("http://")) continue;
    check.report(*rule.find("references"), "bad-reference",
                 fmt::format("'{}' is no address; write https://...", reference));
  }
  return references;
}

Example read_example(const YamlNode& node, YamlChecker& check) {
  Example example;
  example.line = node.line;
  const YamlNode* fields = node.find("fields");
  std::vector<std::string_view> forms;
  std::ranges::copy_if(kExampleForms, std::back_inserter(forms), [&](auto form) { return node.find(form) != nullptr; });
  if (forms.empty()) {
    check.report(node, "missing-key",
                 "an example needs 'log', a text that the rule matches, 'not', a near miss, or 'todo', a known gap");
    return example;
  }
  example.must_match = forms.front() != "not";
  example.is_gap = forms.front() == "todo";
  example.log = text_of(node, forms.front(), check);
  if (forms.size() > 1 || (fields && forms.front() != "log")) {
    check.report(node, "two-forms",
                 "an example has either 'log' (and 'fields'), or 'not', or 'todo'; write two examples");
  }
  if (!fields) return example;
  if (!fields->is_mapping()) {
    check.report(*fields, "wrong-type", "fields is no mapping; write { name: value }");
    return example;
  }
  for (const YamlEntry& entry : fields->entries) {
    const auto value = check.text(entry.value, entry.key.text);
    if (value) example.fields.emplace_back(entry.key.text, *value);
  }
  return example;
}

std::vector<Example> examples_of(const YamlNode& rule, YamlChecker& check) {
  std::vector<Example> examples;
  const YamlNode* list = rule.find("examples");
  if (!list || !check.is_list(*list, "examples")) return examples;
  for (const YamlNode& item : list->items) {
    if (check.is_mapping(item, "an example", kExampleKeys)) examples.push_back(read_example(item, check));
  }
  return examples;
}

}  // namespace

Advice read_advice(const YamlNode& rule, YamlChecker& check) {
  Advice advice;
  advice.cause = text_of(rule, "cause", check);
  advice.fix = fix_of(rule, check);
  advice.debug = texts_of(rule, "debug", check);
  advice.prevent = text_of(rule, "prevent", check);
  advice.references = references_of(rule, check);
  advice.examples = examples_of(rule, check);
  return advice;
}

Advice parse_advice(const Rule& rule) {
  YamlNode node = read_yaml(std::string(rule.yaml), static_cast<int>(rule.source_line)).root;
  if (!rule.row_yaml.empty()) {
    node = expand_row(node, read_yaml(std::string(rule.row_yaml), static_cast<int>(rule.row_line)).root);
  }
  YamlChecker unheard{std::string(rule.source)};
  return read_advice(node, unheard);
}

}  // namespace cutopsy
