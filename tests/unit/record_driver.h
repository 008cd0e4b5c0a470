// Reads a log the way a reader with a single lane does: opens records, feeds them, closes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/parser.h"

namespace cutopsy {

struct EventCollector : EventSink {
  void on_event(Event event) override { events.push_back(std::move(event)); }
  void on_fact(Fact fact) override { facts.push_back(std::move(fact)); }
  std::vector<Event> events;
  std::vector<Fact> facts;
};

class RecordDriver {
 public:
  explicit RecordDriver(const RecordParser& parser, std::string_view lane = "") : parser_(parser), lane_(lane) {}

  /// Reads one line; line numbers count from 1.
  void read(std::string_view text) {
    Line line;
    line.text = text;
    line.lane = lane_;
    line.where.line = ++lines_;
    if (record_) {
      line.record = records_;
      const Record::Step step = record_->feed(line);
      if (step != Record::Step::taken) close();
      if (step != Record::Step::refused) return;
    }
    line.record = records_ + 1;
    record_ = parser_.open(line);
    if (record_) {
      ++records_;
    } else {
      ++outside_;
    }
  }

  /// Reads all lines of `log` and closes the last record.
  const std::vector<Event>& read_all(std::string_view log) {
    while (!log.empty()) {
      const std::size_t end = std::min(log.find('\n'), log.size());
      read(log.substr(0, end));
      log.remove_prefix(std::min(end + 1, log.size()));
    }
    close();
    return sink_.events;
  }

  void close() {
    if (record_) record_->finish(sink_);
    record_.reset();
  }

  const std::vector<Event>& events() const { return sink_.events; }
  /// How many lines belonged to no record.
  std::uint64_t lines_outside() const { return outside_; }

 private:
  const RecordParser& parser_;
  std::string lane_;
  EventCollector sink_;
  std::unique_ptr<Record> record_;
  std::uint64_t lines_ = 0;
  std::uint64_t records_ = 0;
  std::uint64_t outside_ = 0;
};

}  // namespace cutopsy
