// The interface of a dialect: how text becomes events.
//
// A dialect is one file that defines line parsers (stateless) or record parsers (multi-line, line-fed), and a row
// in registry.cc. Each names *triggers*: literals of which at least one stands in every line that it can read.
// The scanner shows a parser only lines that hold one of its triggers; a parser must decide by content alone, so
// that showing it every line of the log gives the same events.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "parsers/event.h"
#include "parsers/line.h"

namespace cutopsy {

/// Reads one line; emits nothing when the line is not of its dialect. Stateless and thread-safe.
struct LineParser {
  std::string_view name;
  /// 5-24 bytes each, case-sensitive, printable ASCII, no quotes, backslashes, '<', '>' or '&' (wrappers escape
  /// those), rare in ordinary logs.
  std::span<const std::string_view> triggers;
  void (*parse)(const Line& line, EventSink& sink);
};

/// A multi-line record in one lane, fed line by line after its opener.
class Record {
 public:
  enum class Step {
    taken,    ///< the line belongs to the record, which goes on
    last,     ///< the line belongs to the record and ends it
    refused,  ///< the line does not belong to the record, which is over
  };
  virtual ~Record() = default;
  /// `line` follows in the record's lane (the opener itself was given to the factory).
  virtual Step feed(const Line& line) = 0;
  /// The level of the record's lines, if the record itself says how grave they are, else "".
  virtual std::string_view level() const { return {}; }
  /// Called once when the record is over (by its grammar, a bound, or the end of the input): emits its events.
  virtual void finish(EventSink& sink) = 0;
};

/// Opens records.
struct RecordParser {
  std::string_view name;
  std::span<const std::string_view> triggers;  ///< as above, of the opening line
  /// The record that `opener` starts, or null when it starts none. `opener.record` is the record's number.
  std::unique_ptr<Record> (*open)(const Line& opener);
  /// Such a record may stand inside another, in the message of an exception: it is read beside the lane's own record.
  bool inner = false;
};

}  // namespace cutopsy
