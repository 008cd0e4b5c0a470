// Cuts an input into chunks of whole lines, in constant memory. In an input of up to kBufferBytes that has '\r's and
// no '\n', lines end with '\r'.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/source/byte_source.h"
#include "engine/source/text_decoder.h"

namespace cutopsy {

/// Bytes of an input. They start where a piece of a line starts and end with a '\n', with the end of the input, or,
/// when a line is longer than the buffer, with the end of one of its pieces.
using Chunk = std::string_view;

/// A line longer than this is cut into pieces: at its last '\r' before the limit (progress bars), or at the limit.
/// What stands across a cut at the limit may be missed: ChunkReader::cuts() counts those.
inline constexpr std::size_t kMaxPieceBytes = 64 * 1024;

/// Length of the first piece of `line`, which holds no '\n'.
std::size_t first_piece(std::string_view line);

std::uint64_t count_newlines(std::string_view bytes);

class ChunkReader {
 public:
  explicit ChunkReader(ByteSource& source);

  /// The next chunk, valid until the next call; false at the end. Throws SourceError; chunks given before stay good.
  bool next(Chunk& chunk);

  /// Lets the caller keep the last chunk's bytes: they stay valid as long as `buffer`, whose memory is read into next.
  void hand_over(std::vector<char>& buffer);

  std::uint64_t bytes() const { return bytes_; }  ///< read so far
  std::uint64_t cuts() const { return cuts_; }    ///< lines of the chunks given cut where they hold no '\r'

  static constexpr std::size_t kBufferBytes = 256 * 1024;

 private:
  bool fill();
  void break_at_returns();
  void count_cuts(std::string_view bytes, bool goes_on);

  ByteSource& source_;
  TextDecoder decoder_;
  std::vector<char> buffer_;
  std::string decoded_;    // UTF-16 input, as UTF-8, not yet in the buffer
  std::size_t given_ = 0;  // bytes at the buffer's start that the last chunk covered
  std::size_t filled_ = 0;
  bool ended_ = false;
  bool has_newline_ = false;
  std::uint64_t bytes_ = 0;
  std::uint64_t cuts_ = 0;
};

}  // namespace cutopsy
