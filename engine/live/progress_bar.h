// How far a long run has come, on a terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <thread>

#include "engine/batch_progress.h"

namespace cutopsy {

struct ProgressFigures {
  std::uint64_t bytes = 0;
  std::uint64_t all_bytes = 0;
  std::size_t inputs = 0;
  std::size_t all_inputs = 0;
  double seconds = 0;  ///< since the run began
};

/// One line, at most `columns` wide: a bar, the share read, rate and time left. "" while nothing is known.
std::string progress_line(const ProgressFigures& figures, std::size_t columns);

/// Shows the line on standard error as long as it lives, from kDelayMilliseconds on, and leaves no trace. Does nothing
/// where standard error is no terminal.
class ProgressBar {
 public:
  explicit ProgressBar(const BatchProgress& progress);

  static constexpr int kDelayMilliseconds = 500;
  static constexpr int kIntervalMilliseconds = 200;

 private:
  void draw(std::stop_token stop) const;

  const BatchProgress& progress_;
  std::jthread thread_;
};

}  // namespace cutopsy
