// Joins the chunks into which container runtimes cut long lines.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>

#include "parsers/line.h"

namespace cutopsy {

/// One per input. The chunks of a program's two streams may alternate.
class ChunkJoiner {
 public:
  using Sink = std::function<void(std::string_view raw, Place where)>;

  /// Hands `raw`, a physical line, to `sink`, unless it is a chunk that others follow: then it is kept, and the whole
  /// line is handed on with the last chunk, in the wrapping and at the place of the first.
  void add(std::string_view raw, Place where, const Sink& sink);
  /// Hands on what is kept.
  void finish(const Sink& sink);
  /// True while chunks are kept: what follows must be read.
  bool waits() const { return !held_[0].raw.empty() || !held_[1].raw.empty(); }

  /// True when `raw` is a chunk that others follow.
  static bool is_unfinished(std::string_view raw);

  static constexpr std::size_t kMaxBytes = 64 * 1024;  ///< of a joined line; more is handed on in pieces

 private:
  struct Held {
    std::string raw;   // wrapping and text of the first chunk, and the text of those that followed
    std::string tail;  // what ends the wrapping
    Place where;
  };

  std::array<Held, 2> held_;  // of stdout, of stderr
};

}  // namespace cutopsy
