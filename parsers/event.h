// What a parser understood: events (something happened) and facts (what a healthy line tells of the job).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/line.h"

namespace cutopsy {

/// Named values in the order in which they were found. Values are text as printed.
class Fields {
 public:
  /// Adds or replaces `name`; an empty value is not stored.
  void set(std::string_view name, std::string_view value);
  /// Adds `name` unless it is there already.
  void set_if_absent(std::string_view name, std::string_view value);
  /// The value, or "" when the field is absent.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const;
  std::size_t size() const { return fields_.size(); }
  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

  static constexpr std::size_t kMaxValueBytes = 4096;  ///< longer values are cut

 private:
  static constexpr std::size_t kUsual = 8;  // fields for which memory is asked at once

  std::vector<std::pair<std::string, std::string>> fields_;
};

/// Something a parser recognised. Kinds and their fields are listed in event_kinds.h.
struct Event {
  std::string_view kind;     ///< one of event_kinds(), static storage
  std::string_view emitter;  ///< who printed it: "torch", "tensorflow", "driver", ... static storage
  Fields fields;
  Envelope envelope;
  Place where;               ///< the deciding line (an exception's message, not its traceback header)
  Place begin;               ///< first line of the record; equals `where` for single lines
  std::string text;          ///< the deciding line's payload: the evidence shown to people
  std::uint64_t record = 0;  ///< shared by all events and line matches of one multi-line record, 0 for none
  Place because;             ///< line of the event that caused this one, if the log says so (exception chains)
};

/// Something true of the job, from a line that reports no fault. Names and meanings are listed in fact_names.h.
struct Fact {
  std::string_view name;  ///< one of fact_names(), static storage
  std::string value;
  Envelope envelope;  ///< with the host and rank that the line itself names
  Place where;
  std::string gpu = {};  ///< index of the GPU that the line speaks of
};

/// Receives what parsers understood, in the order of the log.
class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void on_event(Event event) = 0;
  virtual void on_fact(Fact fact) = 0;
};

}  // namespace cutopsy
