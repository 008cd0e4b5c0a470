// The scanned chunks of one input, in order.
#pragma once

#include <cstddef>
#include <deque>
#include <exception>
#include <memory>

#include "engine/scan_crew.h"
#include "engine/source/chunk.h"

namespace cutopsy {

/// Reads an input's chunks and has them scanned: in this thread, or, while threads of the crew have time, ahead of what
/// is asked for by several threads. The chunks are the same either way. Not thread-safe.
class ChunkScans {
 public:
  /// `crew` may be null.
  ChunkScans(ChunkReader& chunks, const LiteralScanner& scanner, ScanCrew* crew);
  ~ChunkScans();
  ChunkScans(const ChunkScans&) = delete;
  ChunkScans& operator=(const ChunkScans&) = delete;

  /// Valid until the next call; null at the end. Throws SourceError, when all chunks before have been given.
  ScannedChunk* next();

  /// Inputs smaller than this are searched without libhs: cheaper than compiling its database.
  static constexpr std::size_t kSmallInputBytes = 4 << 20;

 private:
  using Task = std::unique_ptr<ScanTask>;

  bool read(ScannedChunk& chunk);
  void read_ahead(std::size_t count);
  void settle() noexcept;

  ChunkReader& chunks_;
  const LiteralScanner& scanner_;
  ScanCrew* const crew_;
  LiteralScanner::Scratch scratch_;
  ScannedChunk own_;            // read and scanned here; its bytes are the reader's
  Task given_;                  // holds the chunk that was given last
  std::deque<Task> ahead_;      // offered to the crew, in order
  std::deque<Task> spare_;      // whose memory is used again
  std::exception_ptr failure_;  // of reading ahead, to be thrown when all before it has been given
  bool ended_ = false;
};

}  // namespace cutopsy
