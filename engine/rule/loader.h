// Reads rule files (YAML) into a RuleSet and reports every mistake with its place. Checks across rules: lint.h.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/rule/amendment.h"
#include "engine/rule/problem.h"
#include "engine/rule/rule_set.h"

namespace cutopsy {

struct LoadedRules {
  RuleSet rules;                      ///< the rules without a problem, also when others have some
  std::vector<Amendment> amendments;  ///< what the files say of rules elsewhere, in order of file and line
  std::vector<RuleProblem> problems;  ///< in order of file and line; empty means that all is well
};

/// Loads every *.yaml and *.yml below each path (a folder or a file), in sorted order. Never throws: an unreadable
/// path is a problem like any other.
LoadedRules load_rules(const std::vector<std::filesystem::path>& paths);

/// The same from one text, for tests and the build step; `file` is used in messages only.
LoadedRules load_rules_from_text(const std::string& file, const std::string& yaml);

/// What a user of `base` gets who adds the loaded files: their rules are added or stand in for those of the same id,
/// then their amendments apply. Amendments that cannot be applied are added to `loaded.problems`.
RuleSet laid_over(const RuleSet& base, LoadedRules& loaded);

}  // namespace cutopsy
