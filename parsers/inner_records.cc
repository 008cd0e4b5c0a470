#include "parsers/inner_records.h"

#include <iterator>
#include <utility>

#include "parsers/registry.h"

namespace cutopsy {

InnerRecords::Ended InnerRecords::read(const Line& line, const Parsers& interest) {
  Ended ended;
  const Parsers taken = feed(line, ended);
  const Parsers openers = interest & ~taken;
  if (openers.any()) open(line, openers, ended);
  return ended;
}

InnerRecords::Ended InnerRecords::finish() {
  Ended ended;
  while (!open_.empty()) end(open_.begin(), ended);
  return ended;
}

// Gives `line` to the records of its lane and to those whose writer labels only the first line of what it prints.
// Returns the parsers of those that took it. A line of its own lane ends a record that refuses it; others may be
// another writer's.
InnerRecords::Parsers InnerRecords::feed(const Line& line, Ended& ended) {
  Parsers taken;
  for (Position open = open_.begin(); open != open_.end();) {
    const bool own = open->lane == line.lane;
    Record::Step step = Record::Step::refused;
    if (own || std::string_view(open->lane).starts_with(line.lane)) step = open->record->feed(line);
    const bool refused = step == Record::Step::refused;
    if (!refused) taken.set(open->parser);
    open->silence = refused ? open->silence + 1 : 0;
    open->lines += refused ? 0 : 1;
    const bool over = step == Record::Step::last || open->lines >= kMaxLines || open->silence > kMaxSilence;
    open = over || (refused && own) ? end(open, ended) : std::next(open);
  }
  return taken;
}

void InnerRecords::open(const Line& line, const Parsers& parsers, Ended& ended) {
  for (std::size_t i = 0; i < record_parsers().size(); ++i) {
    if (!record_parsers()[i].inner || !parsers[i]) continue;
    std::unique_ptr<Record> record = record_parsers()[i].open(line);
    if (!record) continue;
    if (open_.size() == kMaxOpen) end(open_.begin(), ended);
    open_.push_back({std::move(record), std::string(line.lane), i});
  }
}

InnerRecords::Position InnerRecords::end(Position open, Ended& ended) {
  ended.push_back(std::move(open->record));
  return open_.erase(open);
}

}  // namespace cutopsy
