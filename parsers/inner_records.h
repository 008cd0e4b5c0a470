// Records that may stand inside others: blocks in the message of an exception that are a dialect of their own, such as
// torchrun's list of failures. They are read beside the lane's own record, which takes the same lines.
#pragma once

#include <bitset>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "parsers/parser.h"

namespace cutopsy {

/// The open inner records of one input. Not thread-safe.
class InnerRecords {
 public:
  using Ended = std::vector<std::unique_ptr<Record>>;

  /// Shows `line` to the records that it may belong to, and opens others, at most one of each parser in a lane.
  /// line.record is that of the record around it, or 0. Returns the records that are over.
  Ended read(const Line& line, const std::bitset<64>& interest);
  bool any_open() const { return !open_.empty(); }
  /// The input is over.
  Ended finish();

  static constexpr std::size_t kMaxOpen = 64;
  static constexpr int kMaxLines = 400;
  static constexpr int kMaxSilence = 1000;  ///< lines of others in a row

 private:
  using Parsers = std::bitset<64>;  // by index in record_parsers()
  struct Open {
    std::unique_ptr<Record> record;
    std::string lane;
    std::size_t parser = 0;
    int lines = 1;
    int silence = 0;
  };
  using Position = std::list<Open>::iterator;

  Parsers feed(const Line& line, Ended& ended);
  void open(const Line& line, const Parsers& parsers, Ended& ended);
  Position end(Position open, Ended& ended);

  std::list<Open> open_;  // oldest first
};

}  // namespace cutopsy
