// A finding while its place in the chain of causes is sought.
#pragma once

#include <vector>

#include "engine/match/finding.h"

namespace cutopsy {

struct Node {
  const Finding* finding = nullptr;
  Severity severity = Severity::error;    ///< after what the log says of it (level, recovery)
  std::vector<std::size_t> explained_by;  ///< nodes that lead to this one
  std::vector<std::size_t> absorbed;      ///< other findings of the same lines: the same fact, said less precisely
  bool is_absorbed = false;
};

inline bool is_failure(const Node& node) {
  return node.severity >= Severity::error;
}

}  // namespace cutopsy
