// Takes the lines that may mean something out of an input's chunks.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/scan/literal_scanner.h"
#include "engine/source/chunk.h"
#include "parsers/reader.h"

namespace cutopsy {

/// Shows one input's lines to a reader: those that hold a literal, and while a record is open all that follow; without
/// `scan` every line. One per input. Not thread-safe.
class InputWalker {
 public:
  /// `hits` receives what the scan of each chunk found.
  InputWalker(const LiteralScanner& scanner, ChunkHits& hits, bool scan, Reader& reader, std::uint32_t input)
      : scanner_(scanner), hits_(hits), scan_(scan), reader_(reader), input_(input) {}

  /// The input's next chunk.
  void walk(Chunk chunk);

  /// Lines of the chunks so far, a last one without '\n' included.
  std::uint64_t lines() const { return newlines_ + (in_line_ ? 1 : 0); }

 private:
  using Lines = std::vector<std::pair<std::size_t, std::size_t>>;

  void read_candidates();
  Lines candidates();
  void add_lines_with(char byte, Lines& lines);
  std::size_t begin_of_chunks(std::size_t begin) const;
  void skip_to(std::size_t begin);
  void read_while_open();
  void read_line();

  const LiteralScanner& scanner_;
  ChunkHits& hits_;
  const bool scan_;
  Reader& reader_;
  const std::uint32_t input_;
  LiteralScanner::Scratch scratch_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t newlines_ = 0;  // before at_, in all chunks
  bool in_line_ = false;        // the last chunk ended within a line
};

}  // namespace cutopsy
