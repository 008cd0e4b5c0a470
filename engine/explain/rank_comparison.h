// What no rank's log says alone: compares what the ranks of one process group were doing when their collective timed
// out.
#pragma once

#include <optional>
#include <span>

#include "parsers/event.h"

namespace cutopsy {

/// From a case's events of how far its ranks came (MatchResult::progress), at most one:
///   - `nccl.mismatch`: at the same sequence number ranks of one group ran different operations, or the same one with
///     different sizes; or, in a group that the log names, they waited at different sequence numbers;
///   - else `nccl.absent`: ranks of the job's whole group that never came to the collective at which the others waited,
///     by `world_size` (0 when unknown).
/// The order of events does not matter.
std::optional<Event> compare_ranks(std::span<const Event> events, std::size_t world_size);

}  // namespace cutopsy
