// Which finding leads to which.
#pragma once

#include <span>
#include <vector>

#include "engine/explain/node.h"
#include "engine/match/rule_index.h"

namespace cutopsy {

/// Fills Node::explained_by of nodes that are not absorbed. No two of them explain each other; longer circles can
/// remain, see roots().
void link_causes(const RuleIndex& index, std::vector<Node>& nodes);

/// By node: whether it is one of `causes` or follows from them, directly or through others.
std::vector<bool> consequences_of(const std::vector<Node>& nodes, std::span<const std::size_t> causes);

/// What a log tells first: by time, then by line; content decides between equals, never the input.
bool stands_before(const Node& a, const Node& b);

/// Nodes that nothing explains, most important first: failures before warnings, the job's before what the machine had
/// long before, causes before lower roles, those that explain most, then by time, line and rule; never by the order of
/// the inputs. Of roles below cause at most one is a root: the others are taken for its consequences. Never empty when
/// `nodes` holds one that is not absorbed.
std::vector<std::size_t> roots(std::vector<Node>& nodes);

/// A finding of a level that hides it ("WARNING: the driver is too old") can lead to a failure that follows it in its
/// input within so many lines.
inline constexpr std::uint64_t kLinesThatAWarningReaches = 1000;

/// In an input without clocks an effect may be printed so many lines before its cause.
inline constexpr std::uint64_t kLinesThatAnEffectRunsAhead = 5000;

}  // namespace cutopsy
