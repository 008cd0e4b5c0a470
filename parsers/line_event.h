// The event that one line tells: its envelope, place and text are the line's.
#pragma once

#include "parsers/event.h"
#include "parsers/line.h"

namespace cutopsy {

/// `kind` and `emitter` must have static storage.
inline Event line_event(const Line& line, std::string_view kind, std::string_view emitter) {
  Event event;
  event.kind = kind;
  event.emitter = emitter;
  event.envelope = line.envelope;
  event.where = line.where;
  event.begin = line.where;
  event.text = line.text;
  event.record = line.record;
  return event;
}

}  // namespace cutopsy
