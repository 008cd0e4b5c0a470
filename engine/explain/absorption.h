// One fact, several findings: what rules say of the same line or record is folded into the finding that says most.
#pragma once

#include <vector>

#include "engine/explain/node.h"

namespace cutopsy {

/// Fills Node::absorbed. On one line any rule that knows it says more than "an exception"; in a longer record a higher
/// role says more than a lower one.
void absorb_same_facts(std::vector<Node>& nodes);

}  // namespace cutopsy
