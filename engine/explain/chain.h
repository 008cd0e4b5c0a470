// The chain from a root to all that it explains: because A, B, then C.
#pragma once

#include <span>
#include <vector>

#include "engine/explain/incident.h"
#include "engine/explain/node.h"

namespace cutopsy {

/// One link for each of `symptoms`, causes before what they cause. Where several nodes explain a symptom, what the log
/// itself says goes first; then what stands before the symptom, in its own input; then what rules say, before roles;
/// then the one that stands last before it.
/// `members`: the root in all its places.
std::vector<Because> chain_of(const std::vector<Node>& nodes, std::span<const std::size_t> members,
                              std::span<const std::size_t> symptoms);

}  // namespace cutopsy
