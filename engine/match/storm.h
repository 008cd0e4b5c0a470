// Lines that only add to a count: a fault that thousands of threads report, each on a line of its own.
//
// When a line was counted with findings that learn nothing from further repeats, and did nothing else, then an equal
// line does the same, as long as the lines between them were of that sort too. Lines of device asserts count as equal
// when they differ in the coordinates of block and thread only.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/match/finding.h"
#include "engine/scan/chunk_hits.h"
#include "parsers/line.h"

namespace cutopsy {

/// One per input. Not thread-safe.
class Storm {
 public:
  /// What is known of a line that came before.
  struct Known {
    std::string text;
    std::vector<std::string_view> pieces;  ///< of `text`: what stands around the coordinates
    std::vector<LiteralId> literals;
    Envelope envelope;
    std::vector<std::size_t> findings;  ///< that it was counted with, by index in the FindingStore
  };

  /// `reads_coordinates`: a rule asks for those of a device assert, so that they matter.
  explicit Storm(bool reads_coordinates) : reads_coordinates_(reads_coordinates) {}

  /// A line with these literals is read next; all that the line before did has been told.
  void next_line(const Line& line, const std::vector<LiteralId>& literals);
  /// The line was counted as a repeat with the finding at `index`, which learns nothing from it.
  void counted(std::size_t index, const Finding& repeat);
  /// The line did anything else.
  void changed() { changed_ = true; }

  /// A line before which the next one repeats; null when there is none. Valid until the next line.
  const Known* repeated() const;

  static constexpr std::size_t kRemembered = 8;       ///< lines
  static constexpr std::size_t kMaxTextBytes = 1024;  ///< of a line that is remembered

 private:
  void remember();

  const bool reads_coordinates_;
  Place where_;  // of the line that is read
  Known current_;
  bool only_device_asserts_ = true;
  bool changed_ = false;
  std::array<Known, kRemembered> known_;
  std::size_t oldest_ = 0;
};

}  // namespace cutopsy
