// From physical lines to events: strips each line, keeps the multi-line records of each lane apart, and runs the
// parsers.
#pragma once

#include <bitset>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "parsers/envelope/chunk_joiner.h"
#include "parsers/envelope/stripper.h"
#include "parsers/inner_records.h"
#include "parsers/parser.h"
#include "parsers/repeated_lines.h"

namespace cutopsy {

/// Which parsers a line can interest, by index in line_parsers() and record_parsers().
struct ParserInterest {
  std::bitset<64> line_parsers;
  std::bitset<64> record_parsers;
};

/// What the reader hands on besides events, in log order. `interest` is asked once per logical line.
class LineObserver {
 public:
  virtual ~LineObserver() = default;
  /// The parsers that `line` can interest. The observer may also match the line against rules here, or later in
  /// on_line().
  virtual ParserInterest interest(const Line& line) = 0;
  /// Every logical line read, after its record number is known and before its events are emitted.
  virtual void on_line(const Line& line) = 0;
};

/// One per input. Not thread-safe.
class Reader {
 public:
  Reader(LineObserver& lines, EventSink& events) : lines_(lines), events_(events) {}

  /// Reads one physical line (no '\n').
  void read(std::string_view raw, Place where);
  /// True while a record, or a line that comes in chunks, waits for more lines: then every line must be read, candidate
  /// or not.
  bool has_open_records() const { return !open_.empty() || inner_.any_open() || joiner_.waits(); }
  /// The input is over: closes all records.
  void finish();

  /// How often each bound was reached.
  struct Limits {
    std::uint64_t records_cut = 0;    ///< records longer than kMaxRecordLines or kMaxRecordBytes
    std::uint64_t records_stale = 0;  ///< records without a line of their lane for kMaxSilence bytes
    std::uint64_t lanes_evicted = 0;  ///< records closed since more than kMaxLanes or kMaxOpenBytes were open
  };
  const Limits& limits() const { return limits_; }

  static constexpr std::size_t kMaxRecordLines = 400;
  static constexpr std::size_t kMaxRecordBytes = 256 * 1024;
  static constexpr std::size_t kMaxSilence = 1 << 20;  ///< bytes of input without the record's lane
  static constexpr std::size_t kMaxLanes = 256;
  static constexpr std::size_t kMaxOpenBytes = 8 << 20;  ///< lines of all open records
  /// Of the records that may go on in a line's lane, so many are tried, the newest first. More than a handful of
  /// openers without a second line is no log of tracebacks.
  static constexpr std::size_t kMaxTrials = 16;

 private:
  // The opener, kept until a second line has settled in which lane the record goes on.
  struct Opener {
    std::string text;
    Line line;
  };
  struct OpenRecord {
    std::unique_ptr<Record> record;  // in the lane of the opener
    std::string lane;
    std::unique_ptr<Opener> opener;
    std::unique_ptr<Record> trial;  // the same record, fed with the lines of another lane, while it is not settled
    std::string trial_lane;
    const RecordParser* parser = nullptr;
    std::uint64_t number = 0;
    std::size_t lines = 1;
    std::size_t bytes = 0;
    std::uint64_t last_byte = 0;  // bytes_ when one of its lanes was last seen
  };
  using Records = std::list<OpenRecord>;  // least recently seen lane first
  struct LaneHash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  void read_whole(std::string_view raw, Place where);
  void read_line();
  Records step(Line& line, const ParserInterest& interest);
  bool feed(Line& line, Records& over);
  bool feed_trial(Records::iterator record, Line& line, Records& over);
  bool open(Line& line, const ParserInterest& interest, Records& over);
  bool start_trial(Line& line, const RecordParser* parser, Records& over);
  void after_step(Records::iterator record, Record::Step step, Line& line, Records& over);
  void drop_trial(OpenRecord& record);
  void settle(OpenRecord& record);
  void take_out(Records::iterator record, Records& over);
  void close(Records::iterator record);
  void make_room();
  void close_stale();

  LineObserver& lines_;
  EventSink& events_;
  ChunkJoiner joiner_;
  Stripper stripper_;
  Line line_;  // a member, so that its strings keep their memory from line to line
  Records open_;
  std::unordered_map<std::string, Records::iterator, LaneHash, std::equal_to<>> by_lane_;
  InnerRecords inner_;
  RepeatedLines repeated_;
  std::size_t unsettled_ = 0;
  std::uint64_t bytes_ = 0;
  std::size_t open_bytes_ = 0;  // of all open_
  std::uint64_t records_ = 0;
  Limits limits_;
};

}  // namespace cutopsy
