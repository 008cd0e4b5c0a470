#include "parsers/reader.h"

#include <iterator>
#include <utility>

#include "parsers/held_events.h"
#include "parsers/registry.h"

namespace cutopsy {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t") == text.npos;
}

// True when two lanes can be one writer's: a logger puts its head only on the first line of what it prints, and a
// line that is glued to an unfinished one loses its label.
bool may_share_writer(std::string_view lane, std::string_view other) {
  return lane.starts_with(other) || other.starts_with(lane);
}

void take_level(Line& line, const Record& record) {
  if (const std::string_view level = record.level(); !level.empty()) line.envelope.level = level;
}

// True when `trial` is over and had understood something, which `sink` then gets.
bool finish_trial(Record& trial, EventSink& sink) {
  HeldEvents held;
  trial.finish(held);
  if (held.empty()) return false;
  held.release(sink);
  return true;
}

}  // namespace

void Reader::read(std::string_view raw, Place where) {
  joiner_.add(raw, where, [this](std::string_view whole, Place begin) { read_whole(whole, begin); });
}

void Reader::read_whole(std::string_view raw, Place where) {
  if (!open_.empty()) bytes_ += raw.size() + 1;
  stripper_.strip(raw, where, [this](const Line& line) {
    line_ = line;
    read_line();
  });
  close_stale();
}

void Reader::finish() {
  joiner_.finish([this](std::string_view whole, Place begin) { read_whole(whole, begin); });
  while (!open_.empty()) close(open_.begin());
  for (const auto& record : inner_.finish()) record->finish(events_);
}

void Reader::read_line() {
  const ParserInterest interest = lines_.interest(line_);
  Records over = step(line_, interest);
  const InnerRecords::Ended inner_over = inner_.read(line_, interest.record_parsers);
  lines_.on_line(line_);
  repeated_.parse(line_, interest.line_parsers, events_);
  for (OpenRecord& record : over) {
    if (!record.trial || !finish_trial(*record.trial, events_)) record.record->finish(events_);
  }
  for (const auto& record : inner_over) record->finish(events_);
}

// Finds the record of `line` and sets line.record; returns the records that end with this line.
Reader::Records Reader::step(Line& line, const ParserInterest& interest) {
  Records over;
  if (!open_.empty() && feed(line, over)) return over;
  if (interest.record_parsers.any() && open(line, interest, over)) return over;
  if (!is_blank(line.text)) start_trial(line, nullptr, over);
  return over;
}

// Gives `line` to the open record of its lane; false when there is none, or when it ended before this line.
bool Reader::feed(Line& line, Records& over) {
  const auto found = by_lane_.find(line.lane);
  if (found == by_lane_.end()) return false;
  const Records::iterator record = found->second;
  if (record->trial && record->trial_lane == line.lane) return feed_trial(record, line, over);
  line.record = record->number;
  const Record::Step step = record->record->feed(line);
  if (step == Record::Step::refused) {
    line.record = 0;
    close(record);
    return false;
  }
  drop_trial(*record);
  settle(*record);
  after_step(record, step, line, over);
  return true;
}

bool Reader::feed_trial(Records::iterator record, Line& line, Records& over) {
  line.record = record->number;
  const Record::Step step = record->trial->feed(line);
  if (step != Record::Step::refused) {
    after_step(record, step, line, over);
    return true;
  }
  line.record = 0;
  if (finish_trial(*record->trial, events_)) {
    Records done;
    take_out(record, done);
  } else {
    drop_trial(*record);
  }
  return false;
}

// Opens a record, unless one of the same dialect goes on with what could open another.
bool Reader::open(Line& line, const ParserInterest& interest, Records& over) {
  line.record = records_ + 1;
  const auto parsers = record_parsers();
  for (std::size_t i = 0; i < parsers.size(); ++i) {
    if (!interest.record_parsers[i] || parsers[i].inner) continue;
    std::unique_ptr<Record> record = parsers[i].open(line);
    if (!record) continue;
    if (start_trial(line, &parsers[i], over)) return true;

    line.record = ++records_;
    if (open_.empty()) bytes_ = 0;
    OpenRecord& opened = open_.emplace_back();
    opened.record = std::move(record);
    opened.lane = line.lane;
    opened.parser = &parsers[i];
    opened.number = records_;
    opened.bytes = line.text.size();
    open_bytes_ += opened.bytes;
    opened.last_byte = bytes_;
    opened.opener = std::make_unique<Opener>(Opener{std::string(line.text), line});
    opened.opener->line.text = opened.opener->text;
    opened.opener->line.lane = opened.lane;
    by_lane_.emplace(opened.lane, std::prev(open_.end()));
    ++unsettled_;
    take_level(line, *opened.record);
    make_room();
    return true;
  }
  line.record = 0;
  return false;
}

// A record of which only the opener was seen may go on in the lane of `line`. Tries it with a second copy, since a
// line of its own lane may still come; false when none (of `parser`, if given) takes it.
bool Reader::start_trial(Line& line, const RecordParser* parser, Records& over) {
  if (unsettled_ == 0) return false;
  std::size_t trials = 0;
  for (auto it = open_.rbegin(); it != open_.rend() && trials < kMaxTrials; ++it) {
    const Records::iterator record = std::prev(it.base());
    if (parser && parser != record->parser) continue;
    if (!record->opener || record->trial || !may_share_writer(record->lane, line.lane)) continue;
    ++trials;
    std::unique_ptr<Record> trial = record->parser->open(record->opener->line);
    if (!trial) continue;
    line.record = record->number;
    const Record::Step step = trial->feed(line);
    if (step == Record::Step::refused) continue;

    record->trial = std::move(trial);
    record->trial_lane = line.lane;
    by_lane_.emplace(record->trial_lane, record);
    after_step(record, step, line, over);
    return true;
  }
  line.record = 0;
  return false;
}

void Reader::after_step(Records::iterator record, Record::Step step, Line& line, Records& over) {
  take_level(line, *record->record);
  record->last_byte = bytes_;
  ++record->lines;
  record->bytes += line.text.size();
  open_bytes_ += line.text.size();
  open_.splice(open_.end(), open_, record);
  if (step == Record::Step::last) {
    take_out(record, over);
  } else if (record->lines >= kMaxRecordLines || record->bytes >= kMaxRecordBytes) {
    ++limits_.records_cut;
    take_out(record, over);
  }
  make_room();
}

void Reader::make_room() {
  while (open_.size() > kMaxLanes || open_bytes_ > kMaxOpenBytes) {
    ++limits_.lanes_evicted;
    close(open_.begin());
  }
}

void Reader::drop_trial(OpenRecord& record) {
  if (!record.trial) return;
  by_lane_.erase(record.trial_lane);
  record.trial.reset();
}

void Reader::settle(OpenRecord& record) {
  if (!record.opener) return;
  record.opener.reset();
  --unsettled_;
}

void Reader::take_out(Records::iterator record, Records& over) {
  by_lane_.erase(record->lane);
  if (record->trial) by_lane_.erase(record->trial_lane);
  settle(*record);
  open_bytes_ -= record->bytes;
  over.splice(over.end(), open_, record);
}

void Reader::close(Records::iterator record) {
  Records over;
  take_out(record, over);
  if (!record->trial || !finish_trial(*record->trial, events_)) record->record->finish(events_);
}

void Reader::close_stale() {
  while (!open_.empty() && bytes_ - open_.front().last_byte > kMaxSilence) {
    ++limits_.records_stale;
    close(open_.begin());
  }
}

}  // namespace cutopsy
