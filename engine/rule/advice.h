// What a rule says to people. Parsed from the rule's YAML on demand, since only reported rules need it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/rule/rule.h"

namespace cutopsy {

class YamlChecker;
struct YamlNode;

struct FixStep {
  std::string what;  ///< `do:`
  std::string run;   ///< `run:` a command that can be copied, or ""
};

struct Example {
  std::string log;
  bool must_match = true;                                   ///< false for `not:` near misses
  bool is_gap = false;                                      ///< `todo:` it should match, and does not yet
  std::vector<std::pair<std::string, std::string>> fields;  ///< values that the finding must carry
  int line = 0;                                             ///< line in `Rule::source`
};

struct Advice {
  std::string cause;
  std::vector<FixStep> fix;
  std::vector<std::string> debug;
  std::string prevent;
  std::vector<std::string> references;
  std::vector<Example> examples;
};

/// What the rule mapping says; mistakes go to `check`.
Advice read_advice(const YamlNode& rule, YamlChecker& check);

/// `rule` must come from a RuleSet; a row of a table inherits what it does not say itself. Texts still hold their
/// {field} placeholders.
Advice parse_advice(const Rule& rule);

}  // namespace cutopsy
