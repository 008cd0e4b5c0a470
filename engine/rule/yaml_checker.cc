#include "engine/rule/yaml_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "engine/rule/nearest.h"

namespace cutopsy {
namespace {

std::string_view kind_name(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::scalar:
      return "a text";
    case YamlNode::Kind::sequence:
      return "a list";
    case YamlNode::Kind::mapping:
      return "a mapping";
  }
  return "";
}

/// 12.10, but not 12.1: YAML tools that read it as a number lose the zero.
bool loses_a_zero(const YamlNode& node) {
  return node.plain && as_number(node) && node.text.find('.') != std::string::npos && node.text.back() == '0';
}

}  // namespace

std::optional<double> as_number(const YamlNode& node) {
  if (!node.is_scalar() || !node.plain) return std::nullopt;
  double value = 0;
  const char* end = node.text.data() + node.text.size();
  auto [rest, error] = std::from_chars(node.text.data(), end, value);
  const bool spelt_with_digits = node.text.find_first_of("0123456789") != std::string::npos;  // no inf, no nan
  if (error != std::errc() || rest != end || !spelt_with_digits) return std::nullopt;
  return value;
}

void YamlChecker::report(const YamlNode& at, std::string code, std::string message) {
  problems_.push_back({std::move(code), file_, at.line, at.column, std::move(message)});
}

void YamlChecker::report(const YamlMistake& mistake) {
  problems_.push_back({mistake.code, file_, mistake.line, mistake.column, mistake.message});
}

bool YamlChecker::is_mapping(const YamlNode& node, std::string_view what, std::span<const std::string_view> keys,
                             std::string_view unknown) {
  if (!node.is_mapping()) {
    report(node, "wrong-type",
           fmt::format("{} is {}; write a mapping of {}", what, kind_name(node), fmt::join(keys, ", ")));
    return false;
  }
  for (auto entry = node.entries.begin(); entry != node.entries.end(); ++entry) {
    const std::string& key = entry->key.text;
    const auto is_same_key = [&](const YamlEntry& earlier) { return earlier.key.text == key; };
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      report_unknown_key(node, *entry, what, keys, unknown);
    } else if (std::any_of(node.entries.begin(), entry, is_same_key)) {
      report(entry->key, "duplicate-key", fmt::format("{}: '{}' stands here twice; keep one", what, key));
    }
  }
  return true;
}

void YamlChecker::report_unknown_key(const YamlNode& mapping, const YamlEntry& entry, std::string_view what,
                                     std::span<const std::string_view> keys, std::string_view code) {
  if (mapping.flow && entry.value.is_null()) {
    report(entry.key, "unquoted-comma",
           fmt::format("inside {{ }} a comma ends an unquoted text; put the text that ends "
                       "in '{}' in quotes",
                       entry.key.text));
  } else {
    report(entry.key, std::string(code),
           fmt::format("{} has no '{}'{}", what, entry.key.text, suggestion(entry.key.text, keys)));
  }
}

bool YamlChecker::is_list(const YamlNode& node, std::string_view what) {
  if (node.is_sequence() && !node.items.empty()) return true;
  report(node, "wrong-type",
         node.is_sequence()
             ? fmt::format("{} is an empty list; add an item or drop the key", what)
             : fmt::format("{} is {}; write a list: [ ... ] or lines that start with '- '", what, kind_name(node)));
  return false;
}

std::optional<std::string_view> YamlChecker::text(const YamlNode& node, std::string_view what) {
  if (!node.is_scalar() || node.text.empty()) {
    report(node, "wrong-type",
           fmt::format("{} is {}; write a text", what, node.is_scalar() ? "empty" : kind_name(node)));
    return std::nullopt;
  }
  if (loses_a_zero(node)) {
    report(node, "unquoted-number",
           fmt::format("{}: {} is a number to YAML and loses its last zero; write '{}'", what, node.text, node.text));
    return std::nullopt;
  }
  return node.text;
}

std::vector<std::string_view> YamlChecker::texts(const YamlNode& list, std::string_view what) {
  std::vector<std::string_view> result;
  if (!is_list(list, what)) return result;
  for (const YamlNode& item : list.items) {
    if (auto value = text(item, what)) result.push_back(*value);
  }
  return result;
}

std::optional<double> YamlChecker::number(const YamlNode& node, std::string_view what) {
  const std::optional<double> value = as_number(node);
  if (!value) report(node, "wrong-type", fmt::format("{} is no number; write one without quotes", what));
  return value;
}

std::optional<std::size_t> YamlChecker::choice(const YamlNode& node, std::string_view what, std::string_view code,
                                               std::span<const std::string_view> choices) {
  const auto value = text(node, what);
  if (!value) return std::nullopt;
  const auto found = std::find(choices.begin(), choices.end(), *value);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  report(node, std::string(code), fmt::format("{}: '{}' is not one of {}", what, *value, fmt::join(choices, ", ")));
  return std::nullopt;
}

}  // namespace cutopsy
