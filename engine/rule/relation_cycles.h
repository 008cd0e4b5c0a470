// Finds causes that explain each other: explain could not tell which is the root.
#pragma once

#include <span>
#include <vector>

#include "engine/rule/rule.h"

namespace cutopsy {

/// Circles of `explains`, each with the least id first: every rule explains the next, the last explains the first.
/// At most one, a shortest, for each least id. Rules without a signature of role cause are left out, since roles
/// order those; so is a rule whose glob matches itself.
std::vector<std::vector<const Rule*>> relation_cycles(std::span<const Rule> rules);

/// The relation of `rule` whose target names `other`, or null.
const Relation* relation_to(const Rule& rule, const Rule& other);

/// True when `rule` lists `other`, other than by a tag that both have: such peers are echoes of one fault, of which
/// whichever the log shows first explains the others.
bool ranks_above(const Rule& rule, const Rule& other);

}  // namespace cutopsy
