// Lines that are JSON objects around a message: the container runtimes' json-file, journalctl -o json, Kaggle's
// notebook logs, structured logs.
#pragma once

#include <string>
#include <string_view>

#include "parsers/line.h"

namespace cutopsy {

/// What such an object says.
struct JsonLine {
  std::string message;  ///< decoded; lines are separated by '\n'
  Envelope envelope;
};

/// Reads `text`, which may be cut off, into `out`; false when it is no such object. Of the objects in it, those are
/// read that are known to describe a log line.
bool read_json_line(std::string_view text, JsonLine& out);

}  // namespace cutopsy
