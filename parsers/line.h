// A log line without its wrapping, and what the wrapping said.
//
// The envelope stripper turns one physical line into one or more `Line`s (JSON and journal payloads can hold
// several); every parser and every `line:` signature reads `Line::text`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace cutopsy {

/// Where something stands: `line` counts from 1 by '\n', as editors and `grep -n` do.
struct Place {
  std::uint32_t input = 0;  ///< index into the report's inputs
  std::uint64_t line = 0;   ///< 0: nowhere
  friend bool operator==(const Place&, const Place&) = default;
};

/// What stood around a line. Every text is as printed; empty means that the log did not say.
struct Envelope {
  std::string time;         ///< innermost timestamp, as printed
  double seconds = 0;       ///< the same as Unix seconds (UTC unless the log names a zone), 0 if unknown or dateless
  bool zone_known = false;  ///< `seconds` comes from a timestamp that names its zone
  std::string level;        ///< "debug", "info", "warning", "error", "fatal", or "" (normalised)
  std::string host;
  std::string rank;  ///< global rank
  std::string local_rank;
  std::string pod;
  std::string pid;
  std::string application;  ///< logger, container, unit or program name
  bool kernel = false;      ///< the line comes from a kernel log
  unsigned repeats = 0;     ///< how many equal lines this one stands for, if a logger folded them
};

/// One logical line.
struct Line {
  std::string_view text;  ///< payload: no wrapping, no colour codes, no trailing white space or '\r'
  std::string_view lane;  ///< the wrapping with its timestamps removed: lines of one writer share it
  Envelope envelope;
  Place where;
  std::uint64_t record = 0;  ///< number of the multi-line record that this line belongs to, 0 for none
};

}  // namespace cutopsy
