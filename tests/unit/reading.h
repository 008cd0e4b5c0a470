// Reads a whole text with every parser, and keeps what comes out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/reader.h"
#include "parsers/registry.h"

namespace cutopsy {

/// What comes out of a text when all its lines are read.
class Reading : public LineObserver, public EventSink {
 public:
  /// `by_triggers`: lines are shown to the parsers that have a trigger in them only.
  Reading(std::string_view text, bool by_triggers) : by_triggers_(by_triggers) {
    Reader reader(*this, *this);
    std::uint64_t number = 0;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      reader.read(text.substr(begin, end - begin), Place{0, ++number});
      begin = end + 1;
    }
    reader.finish();
  }

  ParserInterest interest(const Line& line) override {
    const auto wants = [&](const auto& parser) {
      return !by_triggers_ || std::ranges::any_of(parser.triggers, [&](std::string_view trigger) {
        return line.text.find(trigger) != line.text.npos;
      });
    };
    ParserInterest interest;
    for (std::size_t i = 0; i < line_parsers().size(); ++i) interest.line_parsers[i] = wants(line_parsers()[i]);
    for (std::size_t i = 0; i < record_parsers().size(); ++i) interest.record_parsers[i] = wants(record_parsers()[i]);
    return interest;
  }
  void on_line(const Line& line) override { lines.push_back({std::string(line.text), line.envelope, line.where.line}); }
  void on_event(Event event) override { events.push_back(std::move(event)); }
  void on_fact(Fact fact) override { facts.push_back(std::move(fact)); }

  struct ReadLine {
    std::string text;
    Envelope envelope;
    std::uint64_t number;
  };
  std::vector<ReadLine> lines;
  std::vector<Event> events;
  std::vector<Fact> facts;

 private:
  bool by_triggers_;
};

}  // namespace cutopsy
