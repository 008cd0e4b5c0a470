// Runs one parser on lines without the reader, and checks what the scanner relies on: no event or fact comes from a
// line that holds none of the parser's triggers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace cutopsy {

struct Parsed : EventSink {
  void on_event(Event event) override { events.push_back(std::move(event)); }
  void on_fact(Fact fact) override { facts.push_back(std::move(fact)); }

  /// The value of the first fact of that name, or "".
  std::string fact(std::string_view name) const {
    auto found = std::ranges::find_if(facts, [&](const Fact& fact) { return fact.name == name; });
    return found == facts.end() ? "" : found->value;
  }

  std::vector<Event> events;
  std::vector<Fact> facts;
};

inline Line line_of(std::string_view text, std::uint64_t number = 1) {
  Line line;
  line.text = text;
  line.where = {0, number};
  return line;
}

template <typename Parser>
bool triggers(const Parser& parser, std::string_view text) {
  return std::ranges::any_of(parser.triggers, [&](auto trigger) { return text.find(trigger) != text.npos; });
}

inline Parsed parse_line(const LineParser& parser, std::string_view text) {
  Parsed parsed;
  parser.parse(line_of(text), parsed);
  const bool understood = !parsed.events.empty() || !parsed.facts.empty();
  EXPECT_TRUE(!understood || triggers(parser, text)) << "no trigger of " << parser.name << " in: " << text;
  return parsed;
}

/// The only event of `text`; an event without kind when there is none or more than one.
inline Event only_event(const LineParser& parser, std::string_view text) {
  Parsed parsed = parse_line(parser, text);
  EXPECT_EQ(parsed.events.size(), 1u) << text;
  return parsed.events.size() == 1 ? parsed.events[0] : Event{};
}

/// Feeds `lines` of one lane, opening records as the reader does.
inline Parsed parse_records(const RecordParser& parser, const std::vector<std::string>& lines) {
  Parsed parsed;
  std::unique_ptr<Record> record;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line line = line_of(lines[i], i + 1);
    if (record) {
      const Record::Step step = record->feed(line);
      if (step == Record::Step::taken) continue;
      record->finish(parsed);
      record.reset();
      if (step == Record::Step::last) continue;
    }
    record = parser.open(line);
    EXPECT_TRUE(!record || triggers(parser, lines[i])) << "no trigger of " << parser.name << " in: " << lines[i];
  }
  if (record) record->finish(parsed);
  return parsed;
}

}  // namespace cutopsy
