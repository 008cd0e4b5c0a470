// A line that comes again says the same again, at its own time and place.
#include "parsers/repeated_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parsers/registry.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class RepeatedLinesTest : public testing::Test, protected EventSink {
 protected:
  void on_event(Event event) override { events_.push_back(std::move(event)); }
  void on_fact(Fact fact) override { facts_.push_back(std::move(fact)); }

  void read(std::string_view text, Envelope envelope = {}, std::uint64_t record = 0) {
    Line line;
    line.text = text;
    line.lane = "lane";
    line.envelope = std::move(envelope);
    line.where = {0, ++number_};
    line.record = record;
    RepeatedLines::Parsers all;
    for (std::size_t i = 0; i < line_parsers().size(); ++i) all.set(i);
    repeated_.parse(line, all, *this);
  }

  static Envelope by(std::string rank, std::string time = "") {
    Envelope envelope;
    envelope.rank = std::move(rank);
    envelope.time = std::move(time);
    return envelope;
  }

  std::vector<std::uint64_t> lines() const {
    std::vector<std::uint64_t> lines;
    for (const Event& event : events_) lines.push_back(event.where.line);
    return lines;
  }

  std::vector<Event> events_;
  std::vector<Fact> facts_;

 private:
  RepeatedLines repeated_;
  std::uint64_t number_ = 0;
};

constexpr std::string_view kStatus = "CUDA error: an illegal memory access was encountered";

TEST_F(RepeatedLinesTest, SayTheSameAtTheirOwnTimeAndPlace) {
  for (int i = 0; i < 5; ++i) read(kStatus, by("3", "10:00:0" + std::to_string(i)));
  ASSERT_THAT(lines(), ElementsAre(1, 2, 3, 4, 5));
  for (const Event& event : events_) {
    EXPECT_EQ(event.begin, event.where);
    EXPECT_EQ(event.envelope.time, "10:00:0" + std::to_string(event.where.line - 1));
    EXPECT_EQ(event.envelope.rank, "3");
    EXPECT_EQ(event.fields.get("name"), "cudaErrorIllegalAddress");
    EXPECT_EQ(event.text, kStatus);
  }
}

TEST_F(RepeatedLinesTest, AreToldApartByTheirWriter) {
  for (const char* rank : {"0", "0", "0", "1", "1", "0"}) read(kStatus, by(rank));
  ASSERT_THAT(events_, SizeIs(6));
  EXPECT_EQ(events_[3].envelope.rank, "1");
  EXPECT_EQ(events_[4].envelope.rank, "1");
  EXPECT_EQ(events_[5].envelope.rank, "0");
}

TEST_F(RepeatedLinesTest, AreToldApartByTheirRecord) {
  for (std::uint64_t record : {0, 0, 0, 7, 7}) read(kStatus, {}, record);
  ASSERT_THAT(events_, SizeIs(5));
  EXPECT_EQ(events_[2].record, 0u);
  EXPECT_EQ(events_[4].record, 7u);
}

TEST_F(RepeatedLinesTest, RepeatFactsToo) {
  for (int i = 0; i < 4; ++i) read("Driver Version: 550.54.15", by("0"));
  ASSERT_THAT(facts_, SizeIs(4));
  EXPECT_EQ(facts_[3].value, facts_[0].value);
  EXPECT_EQ(facts_[3].where.line, 4u);
}

TEST_F(RepeatedLinesTest, AreForgottenInALogOfManyOthers) {
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 1000; ++i) read("step " + std::to_string(i) + ": " + std::string(kStatus));
  }
  EXPECT_EQ(events_.size(), 3000u);
}

}  // namespace
}  // namespace cutopsy
