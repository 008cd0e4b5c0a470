#include "parsers/inner_records.h"

#include <iterator>
#include <utility>

#include "parsers/registry.h"

namespace cutopsy {

InnerRecords::Ended InnerRecords::read(const Line& line, const std::bitset<64>& interest) {
  Ended ended;
  if (!open_.empty() && feed(line, ended)) return ended;
  if (interest.any()) open(line, interest, ended);
  return ended;
}

InnerRecords::Ended InnerRecords::finish() {
  Ended ended;
  while (!open_.empty()) end(open_.begin(), ended);
  return ended;
}

// Gives `line` to the record of its lane, else to one whose writer labels only the first line of what it prints.
bool InnerRecords::feed(const Line& line, Ended& ended) {
  for (Position open = open_.begin(); open != open_.end(); ++open)
    if (open->lane == line.lane) return offer(open, line, ended);
  for (auto it = open_.rbegin(); it != open_.rend(); ++it) {
    const Position open = std::prev(it.base());
    if (open->lane.starts_with(line.lane) && offer(open, line, ended)) return true;
  }
  for (Position open = open_.begin(); open != open_.end();)
    open = ++open->silence > kMaxSilence ? end(open, ended) : std::next(open);
  return false;
}

// A line of its own lane ends a record that refuses it; other lines may be another writer's.
bool InnerRecords::offer(Position open, const Line& line, Ended& ended) {
  const Record::Step step = open->record->feed(line);
  if (step == Record::Step::refused) {
    if (open->lane == line.lane) end(open, ended);
    return false;
  }
  open->silence = 0;
  if (step == Record::Step::last || ++open->lines >= kMaxLines) end(open, ended);
  return true;
}

void InnerRecords::open(const Line& line, const std::bitset<64>& interest, Ended& ended) {
  const auto parsers = record_parsers();
  for (std::size_t i = 0; i < parsers.size(); ++i) {
    if (!parsers[i].inner || !interest[i]) continue;
    std::unique_ptr<Record> record = parsers[i].open(line);
    if (!record) continue;
    if (open_.size() == kMaxOpen) end(open_.begin(), ended);
    open_.push_back({std::move(record), std::string(line.lane)});
    return;
  }
}

InnerRecords::Position InnerRecords::end(Position open, Ended& ended) {
  ended.push_back(std::move(open->record));
  return open_.erase(open);
}

}  // namespace cutopsy
