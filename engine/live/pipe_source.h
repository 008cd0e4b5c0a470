// Standard input in a pipe that goes on: what is read is passed on unchanged, at once.
#pragma once

#include <chrono>
#include <span>

#include "engine/live/signal_watch.h"
#include "engine/source/byte_source.h"

namespace cutopsy {

/// Reads standard input. SIGINT and SIGTERM end it: what comes within kGraceMilliseconds is still read, since the
/// program before us in the pipe was interrupted too and says so; then read() returns 0, so that the report is of all
/// that was read. One thread.
class PipeSource : public ByteSource {
 public:
  /// `to`: where each byte is written as soon as it is read, or -1. When nobody reads there any more, passing on stops
  /// and reading goes on.
  PipeSource(SignalWatch& signals, int to) : signals_(signals), to_(to) {}
  std::size_t read(std::span<char> buffer) override;

  static constexpr int kGraceMilliseconds = 1000;

 private:
  using Clock = std::chrono::steady_clock;

  SignalWatch& signals_;
  int to_;
  bool interrupted_ = false;
  Clock::time_point until_;
};

}  // namespace cutopsy
