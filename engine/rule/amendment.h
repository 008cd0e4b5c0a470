// What a rule file says of rules that stand elsewhere: `disable:` takes rules out, `append:` adds to one.
//
//   - disable: driver/xid-4*          # an id or a glob
//   - append: memory/gpu-oom          # lists grow; what is one value is changed by writing the whole rule anew
//     match: { line: 'arena exhausted' }
//     fix: [ { do: Ask for a larger slice. } ]
#pragma once

#include <string>
#include <vector>

#include "engine/rule/problem.h"
#include "engine/rule/rule_set.h"
#include "engine/rule/yaml_tree.h"

namespace cutopsy {

struct Amendment {
  enum class Kind { disable, append };
  Kind kind = Kind::disable;
  std::string target;  ///< disable: a rule id or a glob; append: a rule id
  YamlNode node;       ///< the item of the file
  std::string file;
};

/// The keys that may stand beside `append:`.
std::span<const std::string_view> appendable_keys();

/// `rules` with the amendments applied, in their order. One that names no rule, or makes a rule that cannot be read,
/// is left out and becomes a problem.
RuleSet amended(const RuleSet& rules, const std::vector<Amendment>& amendments, std::vector<RuleProblem>& problems);

}  // namespace cutopsy
