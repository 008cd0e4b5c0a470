// Reads the rules of YAML files: one rule from a mapping, or many from a mapping with a `table:`.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rule/amendment.h"
#include "engine/rule/problem.h"
#include "engine/rule/rule.h"
#include "engine/rule/rule_set.h"
#include "engine/rule/yaml_checker.h"

namespace cutopsy {

/// Whether a rule may have a key of this name.
bool is_rule_key(std::string_view key);

/// Feed it files, then take the rules that have no problem, and the problems.
class RuleReader {
 public:
  void read(const std::string& file, const std::string& text);

  RuleSet take_rules();
  std::vector<Amendment> take_amendments();
  std::vector<RuleProblem> take_problems();

 private:
  class File;
  std::shared_ptr<RuleArena> arena_ = std::make_shared<RuleArena>();
  std::vector<Rule> rules_;
  std::vector<Amendment> amendments_;
  std::vector<RuleProblem> problems_;
  std::map<std::string_view, std::string> places_;  ///< of the ids read so far
};

}  // namespace cutopsy
