// A finding while its place in the chain of causes is sought.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/explain/gpu_map.h"
#include "engine/match/finding.h"

namespace cutopsy {

/// Why a node is held for the cause of another.
enum class Basis : std::uint8_t {
  log,   ///< the log itself says so: exception chains, "caused by previous Xid"
  rule,  ///< the cause's rule lists the other in `explains:`
  role,  ///< its role is the higher one
};

/// "log", "rule" or "role".
std::string_view to_string(Basis basis);

struct Link {
  std::size_t cause = 0;  ///< index of a node
  Basis basis = Basis::role;
};

struct Node {
  const Finding* finding = nullptr;
  Severity severity = Severity::error;  ///< after what the log says of it (level, recovery)
  bool survived = false;                ///< the job went on, or ended well, after it
  bool outside_job = false;             ///< a fault of the machine long before or after the job
  double placed_at = 0;                 ///< Unix seconds, known or estimated (timeline.h)
  std::optional<GpuAddress> gpu;        ///< that it speaks of, where the log tells
  std::vector<Link> explained_by;       ///< nodes that lead to this one
  std::vector<std::size_t> absorbed;    ///< other findings of the same lines: the same fact, said less precisely
  bool is_absorbed = false;
  std::vector<const Finding*> like;  ///< others that say the same and were left out of the comparison (kMaxNodes)
};

inline bool is_failure(const Node& node) {
  return node.severity >= Severity::error;
}

/// True when the finding by itself tells of a failure, whatever level its program gave the line.
inline bool tells_of_failure(const Node& node) {
  return node.finding->severity >= Severity::error;
}

}  // namespace cutopsy
