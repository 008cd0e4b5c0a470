// Which finding leads to which.
#pragma once

#include <vector>

#include "engine/explain/node.h"

namespace cutopsy {

/// Folds findings of the same line or record into the one that says most (Node::absorbed).
void absorb_same_lines(std::vector<Node>& nodes);

/// Fills Node::explained_by. The result holds no cycle of two; see roots() for longer ones.
void link_causes(std::vector<Node>& nodes);

/// Nodes that nothing explains, most important first. Of roles below cause at most one is a root: the others are
/// taken for its consequences. Never empty when `nodes` holds one that is not absorbed.
std::vector<std::size_t> roots(std::vector<Node>& nodes);

}  // namespace cutopsy
