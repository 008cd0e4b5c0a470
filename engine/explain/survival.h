// Lowers what the log itself shows to be no failure: warnings by the program's own word, and faults after which the
// job went on and ended well.
#pragma once

#include <span>
#include <vector>

#include "engine/explain/node.h"
#include "engine/explain/scope.h"

namespace cutopsy {

/// A generic exception after which its input goes on for so many lines without a bad end is a warning, and so is one
/// after which it ends in progress alone (steady_end.h).
inline constexpr std::uint64_t kLinesThatShowSurvival = 200;

/// Makes warnings of findings that stand before the word that the job ended well, and of lost peers behind it, unless a
/// bad end or another failure follows that word; and of faults outside the job's time when the job itself failed.
void lower_what_was_survived(std::vector<Node>& nodes, std::span<const Fact> facts,
                             std::span<const InputTraits> inputs);

}  // namespace cutopsy
