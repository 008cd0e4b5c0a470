// When findings stand in time that carry no clock of their own: a traceback in a log whose other lines are timed, an
// input without clocks beside timed ones.
#pragma once

#include <span>
#include <vector>

#include "engine/explain/node.h"
#include "engine/explain/scope.h"

namespace cutopsy {

/// Fills Node::placed_at. A finding without a clock stands where the last timed one before it in its input stands, or,
/// when there is none, between the input's first and last known times as its line stands between first and last line.
/// In an input without any clock it is 0, before all that is timed: such an input is a job's own output (standard error
/// beside a timed log, a training log beside the kernel's), and with nothing else to go by what the job says goes
/// first.
void place_in_time(std::vector<Node>& nodes, std::span<const InputTraits> inputs);

}  // namespace cutopsy
