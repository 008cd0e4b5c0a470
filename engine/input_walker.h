// Takes the lines that may mean something out of an input's chunks.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/scanned_chunk.h"
#include "parsers/reader.h"

namespace cutopsy {

/// Shows one input's lines to a reader: those that the scan chose, and while a record is open all that follow. One per
/// input. Not thread-safe.
class InputWalker {
 public:
  /// `hits` receives what the scan of the chunk that is walked found.
  InputWalker(ChunkHits& hits, Reader& reader, std::uint32_t input) : hits_(hits), reader_(reader), input_(input) {}

  /// The input's next chunk; takes its hits.
  void walk(ScannedChunk& chunk);
  /// The same for one that was not scanned: shows every line.
  void walk_all(Chunk chunk);

  /// Lines of the chunks so far, a last one without '\n' included.
  std::uint64_t lines() const { return newlines_ + (in_line_ ? 1 : 0); }

 private:
  void begin(Chunk chunk);
  void end();
  void skip_to(const CandidateLine& line);
  void read_while_open();
  void read_line();

  ChunkHits& hits_;
  Reader& reader_;
  const std::uint32_t input_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t newlines_ = 0;         // before at_, in all chunks
  std::uint64_t newlines_before_ = 0;  // the chunk
  bool in_line_ = false;               // the last chunk ended within a line
};

}  // namespace cutopsy
