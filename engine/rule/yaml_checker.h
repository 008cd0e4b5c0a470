// Reads typed values out of a YAML tree and collects every mistake on the way.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rule/problem.h"
#include "engine/rule/yaml_tree.h"

namespace cutopsy {

/// Each reader returns what it can read and reports the rest; `what` names the value in messages ("fix", "where").
/// Null values are reported like values of a wrong type.
class YamlChecker {
 public:
  explicit YamlChecker(std::string file) : file_(std::move(file)) {}

  void report(const YamlNode& at, std::string code, std::string message);
  void report(const YamlMistake& mistake);
  const std::vector<RuleProblem>& problems() const { return problems_; }

  /// True for a mapping; keys that are not among `keys` are reported with the code `unknown`.
  bool is_mapping(const YamlNode& node, std::string_view what, std::span<const std::string_view> keys,
                  std::string_view unknown = "unknown-key");
  /// True for a list with at least one item.
  bool is_list(const YamlNode& node, std::string_view what);
  /// The text of a scalar. A plain 12.10 is refused: YAML tools read it as the number 12.1.
  std::optional<std::string_view> text(const YamlNode& node, std::string_view what);
  std::vector<std::string_view> texts(const YamlNode& list, std::string_view what);
  std::optional<double> number(const YamlNode& node, std::string_view what);
  /// The index of the scalar's text in `choices`.
  std::optional<std::size_t> choice(const YamlNode& node, std::string_view what, std::string_view code,
                                    std::span<const std::string_view> choices);

 private:
  void report_unknown_key(const YamlNode& mapping, const YamlEntry& entry, std::string_view what,
                          std::span<const std::string_view> keys, std::string_view code);

  std::string file_;
  std::vector<RuleProblem> problems_;
};

/// A number as YAML's core schema reads plain scalars: 12, -0.5, 1e3.
std::optional<double> as_number(const YamlNode& node);

}  // namespace cutopsy
