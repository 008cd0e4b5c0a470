// Finds the root causes among findings, and what follows from each.
//
// A finding is explained by another of the same case when
//   - both stand in one multi-line record and the other has the higher role (an exception is what its message says);
//   - the other has the higher role (cause > generic > effect > banner) and is no mere warning;
//   - both are causes and the other's rule lists it in `explains:`, within the scope and conditions that the relation
//     names, and the clocks, where known, do not contradict;
//   - the log itself says so (exception chains, "caused by previous Xid").
// What nothing explains is a root; each root rule becomes one incident. What no rule knows becomes `unknown`.
#pragma once

#include <span>

#include "engine/explain/incident.h"
#include "engine/explain/scope.h"
#include "engine/match/rule_index.h"
#include "parsers/event.h"

namespace cutopsy {

/// Pairs of findings are compared, so their number is bounded. Of each rule the first findings are kept; the others
/// count with them.
inline constexpr std::size_t kMaxNodes = 512;

/// `inputs`: what is known of each input, by index. The order of inputs decides nothing but the order of evidence.
Diagnosis explain(const RuleIndex& index, std::span<const Finding> findings, std::span<const Fact> facts,
                  std::span<const InputTraits> inputs);

}  // namespace cutopsy
