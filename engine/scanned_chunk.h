// What the scan of a chunk found: which of its lines may mean something.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/scan/literal_scanner.h"
#include "engine/source/chunk.h"

namespace cutopsy {

/// A line that holds a literal, or bytes that may hide one. Offsets in its chunk, without the '\n'.
struct CandidateLine {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint64_t newlines_before = 0;  ///< in the chunk
};

struct ScannedChunk {
  Chunk bytes;
  std::vector<CandidateLine> lines;  ///< in order
  ChunkHits hits;
  std::uint64_t newlines = 0;
};

/// Fills in all that `chunk.bytes` hold. Depends on nothing before or behind it: chunks may be scanned in any order and
/// in several threads, each with a `scratch` of its own.
void scan_chunk(const LiteralScanner& scanner, LiteralScanner::Scratch& scratch, ScannedChunk& chunk);

}  // namespace cutopsy
