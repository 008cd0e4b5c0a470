// Passes a watched program's output through and keeps a copy for the analysis.
#pragma once

#include <string>
#include <vector>

#include "engine/live/byte_queue.h"
#include "engine/live/child_process.h"
#include "engine/live/signal_watch.h"

namespace cutopsy {

/// How a watched program ended.
struct ChildEnd {
  int wait_status = 0;       ///< as of waitpid()
  bool left_behind = false;  ///< a process that it started still held its output
};

/// Relays until the child has ended and its output is read; the signals of `signals`, which must include SIGCHLD, go to
/// the child meanwhile. The copy in `queue` has the streams' lines whole, also where both write at once; it stays open.
/// `log`: a descriptor that gets every byte in the order of its arrival, or -1.
ChildEnd relay(ChildProcess& child, SignalWatch& signals, ByteQueue& queue, int log);

/// How long output is still read after the child has ended while another process holds it, in milliseconds.
inline constexpr int kGraceMilliseconds = 2000;

}  // namespace cutopsy
