#include "engine/rule/table_rows.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace cutopsy {
namespace {

bool is_near_miss(const YamlNode& example) {
  return example.find("not") != nullptr;
}

/// Sets `key` in the mapping `rule`, in place if it is there.
void override_entry(YamlNode& rule, YamlEntry with) {
  auto found = std::find_if(rule.entries.begin(), rule.entries.end(),
                            [&](const YamlEntry& entry) { return entry.key.text == with.key.text; });
  if (found == rule.entries.end()) {
    rule.entries.push_back(std::move(with));
  } else {
    *found = std::move(with);
  }
}

/// `text` with each {key} replaced by the row's value, in one pass: what a value brings in is not looked at again.
std::string filled_in(std::string_view text, const YamlNode& row) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) break;
    const YamlNode* value = row.find(text.substr(open + 1, close - open - 1));
    if (!value || !value->is_scalar()) continue;
    result.append(text.substr(done, open - done)).append(value->text);
    done = close + 1;
    open = close;
  }
  return result.append(text.substr(done));
}

void fill_in(YamlNode& node, const YamlNode& row) {
  if (node.is_scalar()) node.text = filled_in(node.text, row);
  for (YamlNode& item : node.items) fill_in(item, row);
  for (YamlEntry& entry : node.entries) {
    fill_in(entry.key, row);
    fill_in(entry.value, row);
  }
}

}  // namespace

YamlNode expand_row(const YamlNode& pattern, const YamlNode& row) {
  YamlNode rule = pattern;
  rule.line = row.line;
  rule.column = row.column;
  for (YamlEntry entry : row.entries) {
    const YamlNode* shared = entry.key.text == "examples" ? pattern.find("examples") : nullptr;
    if (shared)
      std::copy_if(shared->items.begin(), shared->items.end(), std::back_inserter(entry.value.items), is_near_miss);
    override_entry(rule, std::move(entry));
  }
  fill_in(rule, row);
  return rule;
}

bool uses_placeholder(const YamlNode& node, std::string_view key) {
  if (node.is_scalar()) return node.text.find('{' + std::string(key) + '}') != std::string::npos;
  return std::any_of(node.items.begin(), node.items.end(),
                     [&](const YamlNode& item) { return uses_placeholder(item, key); }) ||
         std::any_of(node.entries.begin(), node.entries.end(), [&](const YamlEntry& entry) {
           return uses_placeholder(entry.key, key) || uses_placeholder(entry.value, key);
         });
}

}  // namespace cutopsy
