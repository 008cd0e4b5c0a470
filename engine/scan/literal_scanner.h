// Finds which literals stand where in a buffer: the only work done on every byte of a log.
//
// Large inputs are scanned by Hyperscan or Vectorscan (libhs); compiling its database costs some 20 milliseconds, so
// smaller ones, and single lines, are searched by PairSearch. Both find the same.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scan/chunk_hits.h"
#include "engine/scan/pair_search.h"

namespace cutopsy {

/// Safe to use from several threads once made; each thread needs a Scratch of its own.
class LiteralScanner {
 public:
  /// `literals`: distinct, of two bytes or more, at most 65,535. Ids are indexes into it.
  explicit LiteralScanner(std::vector<std::string> literals);
  ~LiteralScanner();
  LiteralScanner(const LiteralScanner&) = delete;
  LiteralScanner& operator=(const LiteralScanner&) = delete;

  class Scratch {
   public:
    Scratch();
    ~Scratch();
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

   private:
    friend class LiteralScanner;
    struct Handle;
    std::unique_ptr<Handle> handle_;
  };

  /// Which lines of `bytes` hold a literal: calls `on_line(begin, end)` in order, once a line, with offsets of the
  /// line without its '\n'. `hits` keeps what was found.
  void candidate_lines(std::string_view bytes, Scratch& scratch, ChunkHits& hits,
                       const std::function<void(std::size_t, std::size_t)>& on_line) const;

  /// The distinct literals in `text`, ascending. Meant for single lines.
  void literals_in(std::string_view text, std::vector<LiteralId>& found) const;

  const std::vector<std::string>& literals() const { return literals_; }

  /// From now on chunks are scanned by libhs: worth it when many will come.
  void prepare_for_large_input() const;

 private:
  struct Database;
  const Database& database() const;

  std::vector<std::string> literals_;
  PairSearch pairs_;
  mutable std::once_flag compiled_;
  mutable std::unique_ptr<Database> database_;
};

}  // namespace cutopsy
