// How sure an incident's root cause is.
//
// It starts at what the root's role is worth: a named cause 0.95, an exception that no rule knows 0.60, a consequence
// whose cause the log does not show 0.50, a launcher's banner 0.35. It falls
//   - when other rules name this cause as a consequence, whose own traces the log may lack: by 0.024 of that for a
//     chain of one such rule above it, by ever less for each further one, by 0.12 for the longest;
//   - to 0.85 when other failures stand beside it that it does not explain, to 0.75 when one of those comes before it;
//   - to 0.80 when nothing failed by it.
// It rises, to 0.98 at most, by 0.03 when it explains failures that the log shows, by 0.05 when these are of three
// kinds or more.
// tests/corpus/calibration_test.cc compares what comes out with how often such incidents are right.
#pragma once

#include <cstddef>
#include <span>

#include "engine/rule/rule.h"

namespace cutopsy {

/// What stands for and against a root.
struct Support {
  std::size_t failures_explained = 0;  ///< kinds of failures that follow from it
  bool has_rival = false;              ///< another failing cause stands beside it
  bool rival_is_first = false;         ///< and is reported before it
  std::uint32_t causes_above = 0;      ///< as Rule::causes_above
  bool is_failure = true;              ///< it, or what follows from it, is an error
};

/// 0..1, as described above.
double confidence_of(Role root, const Support& support);

}  // namespace cutopsy
