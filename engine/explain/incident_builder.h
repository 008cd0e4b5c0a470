// Turns a root and what it explains into an incident.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/explain/confidence.h"
#include "engine/explain/gpu_map.h"
#include "engine/explain/incident.h"
#include "engine/explain/node.h"
#include "parsers/event.h"

namespace cutopsy {

/// What an incident is built from.
struct IncidentParts {
  std::span<const std::size_t>
      members;  ///< the root's rule in all its places (ranks, GPUs, signatures), the root first
  std::span<const std::size_t> symptoms;  ///< what the root explains, directly or not
  std::span<const Finding* const> told;   ///< findings of role info, of any rule
  Support support;                        ///< without what follows from the symptoms
};

/// A root that names a GPU but no rank gets the ranks that run on that GPU.
Incident build_incident(const std::vector<Node>& nodes, const IncidentParts& parts, std::span<const Fact> facts,
                        const GpuMap& gpus);

/// FNV-1a of `text` in hexadecimal: short, stable over versions and machines.
std::string fingerprint_of(std::string_view text);

}  // namespace cutopsy
