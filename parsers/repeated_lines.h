// Runs the line parsers, but not on a line that came before: storms repeat one message thousands of times.
//
// Line parsers are stateless, so equal lines of one writer make equal events. Only times and places differ, and these
// are the line's own.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "parsers/held_events.h"
#include "parsers/line.h"

namespace cutopsy {

/// One per input. Not thread-safe.
class RepeatedLines {
 public:
  using Parsers = std::bitset<64>;  ///< by index in line_parsers()

  /// Emits to `sink` what `parsers` make of `line`.
  void parse(const Line& line, const Parsers& parsers, EventSink& sink);

  static constexpr std::size_t kRemembered = 64;      ///< lines
  static constexpr std::size_t kMaxTextBytes = 1024;  ///< of a line that is remembered
  static constexpr std::size_t kMaxSaid = 8;          ///< events and facts of such a line

 private:
  // A line seen once is known by its hash only; seen twice, with what was made of it.
  struct Known {
    std::size_t hash = 0;
    bool is_kept = false;
    std::string text, lane;
    Envelope envelope;
    std::uint64_t record = 0;
    Parsers parsers;
    std::vector<HeldEvents::Held> said;
  };

  static bool is_repeat(const Known& known, const Line& line, const Parsers& parsers);
  static void keep(Known& known, const Line& line, const Parsers& parsers, const HeldEvents& events);

  std::array<Known, kRemembered> known_;
};

}  // namespace cutopsy
