// The scanned chunks of one input, in order.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/scan_crew.h"
#include "engine/scanned_chunk.h"
#include "engine/source/chunk.h"

namespace cutopsy {

/// Reads an input's chunks and scans them: in this thread, and, while threads of the crew have time, in several ahead
/// of what is asked for. Each thread reads what it scans, so that the bytes are in its core's cache. The chunks are the
/// same either way. One thread, but for help() and has_work().
class ChunkScans {
 public:
  /// `crew` may be null.
  ChunkScans(ChunkReader& chunks, const LiteralScanner& scanner, ScanCrew* crew);
  ~ChunkScans();
  ChunkScans(const ChunkScans&) = delete;
  ChunkScans& operator=(const ChunkScans&) = delete;

  /// Valid until the next call; null at the end. Throws SourceError, when all chunks before have been given.
  ScannedChunk* next();

  /// For threads of the crew: reads and scans ahead as long as there is room; and whether there is.
  void help(LiteralScanner::Scratch& scratch);
  bool has_work() const;

  /// Inputs smaller than this are searched without libhs: cheaper than compiling its database.
  static constexpr std::size_t kSmallInputBytes = 4 << 20;

 private:
  struct Held {
    std::vector<char> buffer;  // of the chunk's bytes
    ScannedChunk chunk;
    std::exception_ptr error;  // why its scan failed
    std::atomic<bool> done = false;
  };
  using HeldPtr = std::unique_ptr<Held>;

  bool read(ScannedChunk& chunk);
  bool is_over();
  void wait_for_others();
  bool scan_one(LiteralScanner::Scratch& scratch, std::unique_lock<std::mutex> reading);
  HeldPtr take_spare();
  bool read_next(Held& held);
  void end_reading(std::exception_ptr failure);
  Held* first();
  ScannedChunk* next_shared();

  ChunkReader& chunks_;
  const LiteralScanner& scanner_;
  ScanCrew* const crew_;
  LiteralScanner::Scratch scratch_;
  ScannedChunk own_;  // while nobody helps: its bytes are the reader's
  HeldPtr given_;     // the chunk that was given last

  std::mutex reading_;          // guards chunks_; taken before mutex_
  mutable std::mutex mutex_;    // guards what follows
  std::deque<HeldPtr> ahead_;   // read, in order
  std::deque<HeldPtr> spare_;   // whose memory is used again
  std::exception_ptr failure_;  // of reading, to be thrown when all before it has been given
  bool ended_ = false;          // no more is to be read
  std::size_t most_ahead_ = 0;  // 0 until others help
};

}  // namespace cutopsy
