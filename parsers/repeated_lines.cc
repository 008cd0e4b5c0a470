#include "parsers/repeated_lines.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "parsers/equal_but_for_time.h"
#include "parsers/registry.h"

namespace cutopsy {
namespace {

void run(const Line& line, const RepeatedLines::Parsers& parsers, EventSink& sink) {
  const auto all = line_parsers();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (parsers[i]) all[i].parse(line, sink);
  }
}

auto time_of(const Envelope& envelope) {
  return std::tie(envelope.time, envelope.seconds, envelope.zone_known);
}

// Whether only the line's own time and place have to change when the line comes again.
bool can_be_said_again(const HeldEvents::Held& held, const Line& line) {
  if (const Fact* fact = std::get_if<Fact>(&held)) {
    return fact->where == line.where && time_of(fact->envelope) == time_of(line.envelope);
  }
  const Event& event = std::get<Event>(held);
  return event.where == line.where && event.begin == line.where && event.because == Place{} &&
         event.record == line.record && time_of(event.envelope) == time_of(line.envelope);
}

void set_time(const Envelope& from, Envelope& to) {
  to.time = from.time;
  to.seconds = from.seconds;
  to.zone_known = from.zone_known;
}

void say_again(HeldEvents::Held held, const Line& line, EventSink& sink) {
  if (Fact* fact = std::get_if<Fact>(&held)) {
    fact->where = line.where;
    set_time(line.envelope, fact->envelope);
    return sink.on_fact(std::move(*fact));
  }
  Event& event = std::get<Event>(held);
  event.where = event.begin = line.where;
  set_time(line.envelope, event.envelope);
  sink.on_event(std::move(event));
}

}  // namespace

void RepeatedLines::parse(const Line& line, const Parsers& parsers, EventSink& sink) {
  if (parsers.none()) return;
  if (line.text.size() > kMaxTextBytes) return run(line, parsers, sink);
  const std::size_t hash = std::hash<std::string_view>()(line.text);
  Known& known = known_[hash % known_.size()];
  if (known.hash != hash) {
    known.hash = hash;
    known.is_kept = false;
    known.said.clear();
    return run(line, parsers, sink);
  }
  if (is_repeat(known, line, parsers)) {
    for (const HeldEvents::Held& held : known.said) say_again(held, line, sink);
    return;
  }
  HeldEvents events;
  run(line, parsers, events);
  keep(known, line, parsers, events);
  events.release(sink);
}

bool RepeatedLines::is_repeat(const Known& known, const Line& line, const Parsers& parsers) {
  return known.is_kept && known.text == line.text && known.lane == line.lane && known.record == line.record &&
         known.parsers == parsers && equal_but_for_time(known.envelope, line.envelope);
}

void RepeatedLines::keep(Known& known, const Line& line, const Parsers& parsers, const HeldEvents& events) {
  const auto& said = events.held();
  known.is_kept = said.size() <= kMaxSaid &&
                  std::ranges::all_of(said, [&](const auto& held) { return can_be_said_again(held, line); });
  if (!known.is_kept) return;
  known.text = line.text;
  known.lane = line.lane;
  known.envelope = line.envelope;
  known.record = line.record;
  known.parsers = parsers;
  known.said = said;
}

}  // namespace cutopsy
