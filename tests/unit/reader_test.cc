// The reader with a registry of its own: the real parser of Python tracebacks, and records and line parsers that
// show what the reader does with them.
#include "parsers/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "parsers/python_exception.h"
#include "parsers/registry.h"

namespace cutopsy {
namespace {

using testing::ElementsAre;

// "BEGIN name", then lines that begin with two spaces, then perhaps "END".
class Story : public Record {
 public:
  explicit Story(const Line& opener) : text_(opener.text.substr(opener.text.find("BEGIN"))), number_(opener.record) {}

  Step feed(const Line& line) override {
    if (line.text == "END") return Step::last;
    if (!line.text.starts_with("  ")) return Step::refused;
    text_ += line.text.substr(1);
    understood_ = true;
    return Step::taken;
  }

  void finish(EventSink& sink) override {
    if (!understood_) return;
    Event event;
    event.kind = "story";
    event.text = text_;
    event.record = number_;
    sink.on_event(std::move(event));
  }

 private:
  std::string text_;
  std::uint64_t number_;
  bool understood_ = false;
};

// "NOISY", then up to three lines of any kind; tells the first that begins with "=".
class Noisy : public Record {
 public:
  Step feed(const Line& line) override {
    if (line.text.starts_with("=")) {
      found_ = line.text;
      return Step::last;
    }
    return ++noise_ > 3 ? Step::refused : Step::taken;
  }
  void finish(EventSink& sink) override {
    if (found_.empty()) return;
    Event event;
    event.kind = "noisy";
    event.text = found_;
    sink.on_event(std::move(event));
  }

 private:
  std::string found_;
  int noise_ = 0;
};

std::unique_ptr<Record> open_story(const Line& opener) {
  if (opener.text.find("BEGIN") == std::string_view::npos) return nullptr;
  return std::make_unique<Story>(opener);
}

std::unique_ptr<Record> open_noisy(const Line& opener) {
  return opener.text == "NOISY" ? std::make_unique<Noisy>() : nullptr;
}

void parse_fault(const Line& line, EventSink& sink) {
  if (line.text.find("fault") == std::string_view::npos) return;
  Event event;
  event.kind = "fault";
  event.text = line.text;
  event.record = line.record;
  sink.on_event(std::move(event));
}

constexpr std::string_view kTriggers[] = {"unused"};
const LineParser kLineParsers[] = {{"fault", kTriggers, parse_fault}};
const RecordParser kRecordParsers[] = {
    {"story", kTriggers, open_story}, {"noisy", kTriggers, open_noisy}, kPythonExceptionParser};

}  // namespace

std::span<const LineParser> line_parsers() {
  return kLineParsers;
}
std::span<const RecordParser> record_parsers() {
  return kRecordParsers;
}

namespace {

// Notes in order what the reader hands on.
struct Notes : LineObserver, EventSink {
  ParserInterest interest(const Line& line) override {
    if (note_lines) log.push_back("interest " + std::string(line.text));
    return wanted;
  }
  void on_line(const Line& line) override {
    if (note_lines) log.push_back("line " + std::to_string(line.record) + " " + std::string(line.text));
    records.push_back(line.record);
  }
  void on_event(Event event) override {
    log.push_back(std::string(event.kind) + " " + std::to_string(event.record) + " " + event.text);
    events.push_back(std::move(event));
  }
  void on_fact(Fact) override {}

  std::vector<std::string> texts(std::string_view kind) const {
    std::vector<std::string> result;
    for (const Event& event : events) {
      if (event.kind == kind) result.push_back(event.text);
    }
    return result;
  }

  ParserInterest wanted{.line_parsers = ~std::bitset<64>(), .record_parsers = ~std::bitset<64>()};
  bool note_lines = false;
  std::vector<std::string> log;
  std::vector<Event> events;
  std::vector<std::uint64_t> records;
};

class ReaderTest : public testing::Test {
 protected:
  void read(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) reader.read(line, {0, ++line_});
  }

  Notes notes;
  Reader reader{notes, notes};

 private:
  std::uint64_t line_ = 0;
};

TEST_F(ReaderTest, HandsOnEachLineBeforeItsEvents) {
  notes.note_lines = true;
  read({"BEGIN a", "  fault", "END"});
  EXPECT_THAT(notes.log, ElementsAre("interest BEGIN a", "line 1 BEGIN a", "interest   fault", "line 1   fault",
                                     "fault 1   fault", "interest END", "line 1 END", "story 1 BEGIN a fault"));
}

TEST_F(ReaderTest, ALineThatARecordRefusesIsAnOrdinaryLine) {
  read({"BEGIN a", "  1", "BEGIN b", "  2", "a fault"});
  EXPECT_THAT(notes.log, ElementsAre("story 1 BEGIN a 1", "story 2 BEGIN b 2", "fault 0 a fault"));
  EXPECT_THAT(notes.records, ElementsAre(1, 1, 2, 2, 0));
}

TEST_F(ReaderTest, ParsersSeeOnlyLinesThatInterestThem) {
  notes.wanted = {};
  read({"BEGIN a", "  fault"});
  EXPECT_FALSE(reader.has_open_records());
  EXPECT_TRUE(notes.events.empty());
}

TEST_F(ReaderTest, FinishClosesWhatIsOpen) {
  read({"[rank0]: BEGIN a", "[rank0]:   1", "[rank1]: BEGIN b", "[rank1]:   2"});
  EXPECT_TRUE(reader.has_open_records());
  EXPECT_TRUE(notes.events.empty());
  reader.finish();
  EXPECT_FALSE(reader.has_open_records());
  EXPECT_THAT(notes.texts("story"), ElementsAre("BEGIN a 1", "BEGIN b 2"));
}

TEST_F(ReaderTest, LinesOfOtherLanesDoNotEndARecord) {
  read({"[rank0]: BEGIN a", "[rank0]:   1", "", "loss 0.5", "[rank1]: hello", "[rank0]:   2", "[rank0]: END"});
  EXPECT_THAT(notes.texts("story"), ElementsAre("BEGIN a 1 2"));
}

TEST_F(ReaderTest, ARecordFollowsItsLinesWhenOnlyItsOpenerHasALoggersHead) {
  read({"ERROR:root:BEGIN a", "  1", "  2", "END"});
  EXPECT_THAT(notes.texts("story"), ElementsAre("BEGIN a 1 2"));
  EXPECT_THAT(notes.records, ElementsAre(1, 1, 1, 1));
}

TEST_F(ReaderTest, ARecordFollowsItsLinesWhenItsOpenerWasGluedToAnotherLine) {
  read({"step 10 loss 1.0[rank0]: BEGIN a", "[rank0]:   1", "[rank1]: BEGIN b", "[rank1]:   2", "[rank0]: END"});
  reader.finish();
  EXPECT_THAT(notes.texts("story"), ElementsAre("BEGIN a 1", "BEGIN b 2"));
}

TEST_F(ReaderTest, TheLaneOfTheOpenerWinsOverLinesThatHappenToFit) {
  read({"[rank0]: NOISY", "loss 0.5", "loss 0.4", "[rank0]: = found"});
  EXPECT_THAT(notes.texts("noisy"), ElementsAre("= found"));
}

TEST_F(ReaderTest, AMoveThatLedToNothingIsTakenBack) {
  read({"[rank0]: NOISY", "loss 1", "loss 2", "loss 3", "loss 4", "loss 5", "[rank0]: = found"});
  EXPECT_THAT(notes.texts("noisy"), ElementsAre("= found"));
}

TEST_F(ReaderTest, AnOpenerIsNoLineOfAnotherLanesRecord) {
  read({"[rank0]: NOISY", "BEGIN b", "  1", "END", "[rank0]: = found"});
  EXPECT_THAT(notes.texts("story"), ElementsAre("BEGIN b 1"));
  EXPECT_THAT(notes.texts("noisy"), ElementsAre("= found"));
}

TEST_F(ReaderTest, ARecordMayHaveSoManyLines) {
  read({"BEGIN a"});
  read(std::vector<std::string>(Reader::kMaxRecordLines - 2, "  1"));
  EXPECT_TRUE(reader.has_open_records());
  EXPECT_EQ(reader.limits().records_cut, 0u);
}

TEST_F(ReaderTest, ARecordMayHaveSoManyBytes) {
  const std::string line = "  " + std::string(Reader::kMaxRecordBytes / 8, 'x');
  read({"BEGIN a"});
  read(std::vector<std::string>(7, line));
  EXPECT_EQ(reader.limits().records_cut, 0u);
  read({line, line});
  EXPECT_EQ(reader.limits().records_cut, 1u);
  EXPECT_FALSE(reader.has_open_records());
}

TEST_F(ReaderTest, AllOpenRecordsTogetherMayHaveSoManyBytes) {
  constexpr std::size_t kLanes = 40;
  const std::string text = "  " + std::string(20'000, 'x');
  const auto label = [](std::size_t lane) { return "[rank" + std::to_string(lane) + "]: "; };
  for (std::size_t lane = 0; lane < kLanes; ++lane) read({label(lane) + "BEGIN " + std::to_string(lane)});
  std::size_t lines = 0;
  while ((lines + 1) * text.size() < Reader::kMaxOpenBytes - 1000) read({label(lines++ % kLanes) + text});
  EXPECT_EQ(reader.limits().lanes_evicted, 0u);
  read({label(lines++ % kLanes) + text});
  EXPECT_EQ(reader.limits().lanes_evicted, 1u);
  EXPECT_EQ(notes.events.size(), 1u);
}

TEST_F(ReaderTest, ALineIsTriedWithTheNewestOpeners) {
  for (std::size_t i = 0; i < Reader::kMaxTrials + 1; ++i) read({"[rank" + std::to_string(i) + "]: NOISY"});
  read({"BEGIN a", "  1"});
  reader.finish();
  EXPECT_THAT(notes.texts("story"), ElementsAre("BEGIN a 1"));
}

TEST_F(ReaderTest, LongRecordsAreCut) {
  read({"BEGIN a"});
  read(std::vector<std::string>(Reader::kMaxRecordLines + 5, "  1"));
  EXPECT_FALSE(reader.has_open_records());
  EXPECT_EQ(notes.events.size(), 1u);
  EXPECT_EQ(reader.limits().records_cut, 1u);
  EXPECT_EQ(std::ranges::count(notes.records, 1u), Reader::kMaxRecordLines);
}

TEST_F(ReaderTest, RecordsWhoseLaneFallsSilentAreClosed) {
  read({"[rank0]: BEGIN a", "[rank0]:   1", "[rank1]: BEGIN b", "[rank1]:   2"});
  const std::string other(16 * 1024, 'x');
  for (std::size_t bytes = 0; bytes <= Reader::kMaxSilence; bytes += other.size()) read({other, "[rank1]:   3"});
  EXPECT_THAT(notes.texts("story"), ElementsAre("BEGIN a 1"));
  EXPECT_EQ(reader.limits().records_stale, 1u);
  EXPECT_EQ(reader.limits().records_cut, 0u);
}

TEST_F(ReaderTest, TheLaneThatWasSilentLongestMakesRoom) {
  for (std::size_t i = 0; i <= Reader::kMaxLanes; ++i) {
    const std::string label = "[rank" + std::to_string(i) + "]: ";
    read({label + "BEGIN " + std::to_string(i), label + "  x"});
    if (i == 5) read({"[rank0]:   y"});
  }
  EXPECT_THAT(notes.texts("story"), ElementsAre("BEGIN 1 x"));
  EXPECT_EQ(reader.limits().lanes_evicted, 1u);
}

// The traceback of one rank, wrapped as its launcher does it.
std::vector<std::string> traceback_of(int rank) {
  const std::string number = std::to_string(rank);
  const std::string labels[] = {"[rank" + number + "]: ", "[default" + number + "]:[rank" + number + "]: ",
                                number + ": ", "(Worker_TP" + number + " pid=1" + number + ") "};
  std::vector<std::string> lines = {"Traceback (most recent call last):",
                                    "  File \"/home/u/train.py\", line 42, in <module>",
                                    "    main()",
                                    "  File \"/home/u/model" + number + ".py\", line 7, in forward",
                                    "    return self.head(x)",
                                    "           ^^^^^^^^^^^^",
                                    "RuntimeError: fatal on rank " + number,
                                    "CUDA kernel errors might be asynchronously reported at some other API call."};
  for (std::string& line : lines) line = labels[rank % 4] + line;
  return lines;
}

// All lines of `parts` in random order, but each part's own in theirs.
std::vector<std::string> shuffled(std::vector<std::vector<std::string>> parts, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> result;
  while (!parts.empty()) {
    auto part = parts.begin() + static_cast<std::ptrdiff_t>(random() % parts.size());
    result.push_back(part->front());
    part->erase(part->begin());
    if (part->empty()) parts.erase(part);
  }
  return result;
}

class Interleaved : public ReaderTest, public testing::WithParamInterface<unsigned> {};

TEST_P(Interleaved, RanksDoNotTearEachOthersTracebacks) {
  std::vector<std::vector<std::string>> parts;
  for (int rank = 0; rank < 8; ++rank) parts.push_back(traceback_of(rank));
  parts.push_back({"loss 1.0", "", "loss 0.9", "Epoch 3 done", "loss 0.8"});
  read(shuffled(parts, GetParam()));
  reader.finish();

  std::map<std::string, std::string> file_of;
  for (const Event& event : notes.events)
    file_of[std::string(event.fields.get("first_line"))] = event.fields.get("file");
  ASSERT_EQ(notes.events.size(), 8u);
  for (int rank = 0; rank < 8; ++rank) {
    const std::string number = std::to_string(rank);
    EXPECT_EQ(file_of["fatal on rank " + number], "/home/u/model" + number + ".py");
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Interleaved, testing::Range(0u, 25u));

}  // namespace
}  // namespace cutopsy
