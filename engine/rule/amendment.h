// What a rule file says of rules that stand elsewhere: `disable:` takes rules out, `append:` and `prepend:` add to one.
//
//   - disable: driver/xid-4*          # an id, a glob, or tag:NAME
//   - append: memory/gpu-oom          # lists grow; what is one value is changed by writing the whole rule anew
//     match: { line: 'arena exhausted' }
//     fix: [ { do: Ask for a larger slice. } ]
//   - prepend: memory/gpu-oom         # the same, in front: of fixes the likeliest stands first
//     fix: [ { do: Use the node with 80 GB. } ]
#pragma once

#include <string>
#include <vector>

#include "engine/rule/problem.h"
#include "engine/rule/rule_set.h"
#include "engine/rule/yaml_tree.h"

namespace cutopsy {

struct Amendment {
  enum class Kind { disable, append, prepend };
  Kind kind = Kind::disable;
  std::string target;  ///< disable: a rule id, a glob, or "tag:" and a tag; else a rule id
  YamlNode node;       ///< the item of the file
  std::string file;
};

/// "disable" and so on: the key whose value is the target.
std::string_view to_string(Amendment::Kind kind);

/// The keys that may stand beside `append:` and `prepend:`.
std::span<const std::string_view> appendable_keys();

/// `rules` with the amendments applied, in their order. One that names no rule, or makes a rule that cannot be read,
/// is left out and becomes a problem.
RuleSet amended(const RuleSet& rules, const std::vector<Amendment>& amendments, std::vector<RuleProblem>& problems);

}  // namespace cutopsy
