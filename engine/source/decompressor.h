// One interface to the decoders of compressed streams.
//
// The decoders are used directly rather than through an archive library, since a log that was cut off is worth its
// last bytes: what a decoder has made of them comes out before the error does.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "engine/source/file_kind.h"

namespace cutopsy {

/// Decodes one member: from a magic to the end of what it opened. Holds its state in bounded memory.
class Decompressor {
 public:
  struct Step {
    std::size_t consumed = 0;
    std::size_t produced = 0;
    bool ended = false;      ///< the member is complete
    const char* fault = "";  ///< why it cannot go on, or ""; what was produced is good all the same
  };
  virtual ~Decompressor() = default;
  /// Decodes some of `in`, which may be empty, into `out`, which is not.
  virtual Step step(std::span<const char> in, std::span<char> out) = 0;
};

/// `compression` is not none. Throws std::bad_alloc when there is no memory for its state.
std::unique_ptr<Decompressor> make_decompressor(Compression compression);

}  // namespace cutopsy
