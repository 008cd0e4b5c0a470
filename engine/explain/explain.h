// Finds the root causes among findings, and what follows from each.
//
// A finding is explained by another of the same case when
//   - both stand in one multi-line record and the other has the higher role (an exception is what its message says);
//   - the other has the higher role (cause > generic > effect > banner) and is no mere warning;
//   - both are causes and the other's rule lists it in `explains:`, within the scope that the relation names;
//   - a parser saw that the other came first and led to it (exception chains).
// What nothing explains is a root; each root rule becomes one incident. The order of inputs never decides.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/explain/incident.h"

namespace cutopsy {

/// Pairs of findings are compared, so their number is bounded. Of each rule the first findings are kept.
inline constexpr std::size_t kMaxNodes = 512;

/// `lines`: number of lines of each input, by index.
Diagnosis explain(std::span<const Finding> findings, std::span<const Fact> facts, std::span<const std::uint64_t> lines);

}  // namespace cutopsy
