// How sure an incident's root cause is.
//
// It starts at what the root's role is worth: a named cause 0.93, an exception that no rule knows 0.60, a consequence
// whose cause the log does not show 0.50, a launcher's banner 0.35. It falls
//   - to 0.90 of that when other rules name this cause as their consequence: theirs may be missing from the log;
//   - to 0.85 when other failures stand beside it that it does not explain, to 0.75 when one of those comes before it;
//   - to 0.80 when it is a mere warning.
// It rises, to 0.98 at most, by 0.03 when it explains failures that the log shows, by 0.05 when these are of three
// kinds or more.
// tests/corpus/calibration_test.cc compares what comes out with how often such incidents are right.
#pragma once

#include <cstddef>
#include <span>

#include "engine/explain/node.h"
#include "engine/rule/rule.h"

namespace cutopsy {

/// What stands for and against a root.
struct Support {
  std::size_t failures_explained = 0;  ///< kinds of failures that follow from it
  bool has_rival = false;              ///< another failing cause stands beside it
  bool rival_is_first = false;         ///< and is reported before it
  bool often_follows = false;          ///< see often_follows()
};

/// True when a rule names this one, by its id, among what it explains.
bool often_follows(const Rule& rule, std::span<const Rule> all);

/// 0..1, as described above.
double confidence_of(const Node& root, const Support& support);

}  // namespace cutopsy
