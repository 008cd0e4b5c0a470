// Turns a root and what it explains into an incident.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/explain/incident.h"
#include "engine/explain/node.h"

namespace cutopsy {

/// `members`: the root's rule in all its places (other ranks, GPUs, signatures), the root first.
/// `symptoms`: what the root explains, directly or not.
Incident build_incident(const std::vector<Node>& nodes, std::span<const std::size_t> members,
                        std::span<const std::size_t> symptoms, std::span<const Fact> facts);

/// 0..1. What a root of that role is worth alone: a named cause 0.95, an unknown exception 0.6, a consequence without
/// its cause 0.5, a launcher's banner 0.35. A warning counts 0.8 of that.
double base_confidence(const Node& root);

/// FNV-1a of `text` in hexadecimal: short, stable over versions and machines.
std::string fingerprint_of(std::string_view text);

}  // namespace cutopsy
