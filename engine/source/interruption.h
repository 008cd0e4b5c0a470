// SIGINT and SIGTERM while inputs are read: the reading ends, and what was read is reported.
#pragma once

#include <array>
#include <csignal>
#include <string>

namespace cutopsy {

/// While one lives, the first of these signals makes every input throw at its next read; the second one ends the
/// process, as it does without. A signal that the process was started to ignore stays ignored. One at a time, made and
/// destroyed while no other thread runs.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// The signal that came since the last Interruption was made, 0 for none.
  static int signal();

 private:
  static constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};
  std::array<struct sigaction, kSignals.size()> before_{};
};

/// Throws SourceError, which names the input, once a signal came. Inputs call it at each read.
void throw_if_interrupted(const std::string& input);

}  // namespace cutopsy
