// Lines that a container runtime has cut, joined again.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "parsers/line.h"

namespace cutopsy {

/// The CRI log format tags each line: "2026-11-30T10:00:00.123456789Z stderr P text" goes on in the next line of that
/// stream, one with "F" is complete (kubernetes/cri-api; containerd cuts at 16 KiB unless told otherwise).
class PartialLines {
 public:
  using Sink = std::function<void(std::string_view whole, Place begin)>;

  /// Gives `sink` what `raw` completes: nothing, itself, or the joined line at the place of its first part. Parts whose
  /// rest never comes (another format follows, or more than kMaxBytes) are given as they are.
  void join(std::string_view raw, Place where, const Sink& sink);
  /// The input is over: gives what still waits.
  void finish(const Sink& sink);
  bool waiting() const { return !streams_[0].text.empty() || !streams_[1].text.empty(); }

  static constexpr std::size_t kMaxBytes = 64 * 1024;

 private:
  struct Stream {
    std::string text;  // the first part's head and the text so far, "" when nothing waits
    Place begin;
  };
  static void give(Stream& stream, const Sink& sink);

  std::array<Stream, 2> streams_;  // stdout, stderr
};

}  // namespace cutopsy
