// Every rule is its own test: runs its examples through the whole pipeline.
#pragma once

#include <string>
#include <vector>

#include "engine/match/rule_index.h"
#include "engine/rule/rule.h"

namespace cutopsy {

struct ExampleRun {
  std::size_t examples = 0;
  std::size_t gaps = 0;               ///< `todo:` examples that do not match, as is known
  std::vector<std::string> claimed;   ///< examples that another rule takes for its own
  std::vector<std::string> failures;  ///< "file:line: rule: what went wrong"
};

/// A `log:` must have a finding of `rule` that carries the listed fields, a `not:` none; a `todo:` must not match yet.
/// `rule` is one of `index`.
ExampleRun run_examples(const Rule& rule, const RuleIndex& index);

}  // namespace cutopsy
