// Samples in the CRI log format: kubernetes/design-proposals-archive, node/kubelet-cri-logging.md.
#include "parsers/envelope/partial_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cutopsy {
namespace {

using testing::ElementsAre;

class PartialLinesTest : public testing::Test {
 protected:
  void read(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) partial_lines_.join(line, Place{0, ++line_}, sink_);
  }
  void finish() { partial_lines_.finish(sink_); }

  PartialLines partial_lines_;
  std::vector<std::string> given_;
  std::uint64_t line_ = 0;
  PartialLines::Sink sink_ = [this](std::string_view whole, Place begin) {
    given_.push_back(std::to_string(begin.line) + " " + std::string(whole));
  };
};

TEST_F(PartialLinesTest, AreJoinedWithTheirFullEnd) {
  read({"2016-10-06T00:17:10.113242941Z stdout P The user ", "2016-10-06T00:17:10.113242942Z stdout P has asked ",
        "2016-10-06T00:17:10.113242943Z stdout F twice"});
  EXPECT_THAT(given_, ElementsAre("1 2016-10-06T00:17:10.113242941Z stdout F The user has asked twice"));
  EXPECT_FALSE(partial_lines_.waiting());
}

TEST_F(PartialLinesTest, OfOneStreamLetTheOtherPass) {
  read({"2016-10-06T00:17:09.669794202Z stdout P one ", "2016-10-06T00:17:09.669794203Z stderr F other",
        "2016-10-06T00:17:09.669794204Z stdout F two"});
  EXPECT_THAT(given_, ElementsAre("2 2016-10-06T00:17:09.669794203Z stderr F other",
                                  "1 2016-10-06T00:17:09.669794202Z stdout F one two"));
}

TEST_F(PartialLinesTest, WithoutAnEndAreGivenWhenAnotherFormatFollows) {
  read({"2016-10-06T00:17:09.669794202Z stdout P one", "plain"});
  EXPECT_THAT(given_, ElementsAre("1 2016-10-06T00:17:09.669794202Z stdout F one", "2 plain"));
}

TEST_F(PartialLinesTest, WithoutAnEndAreGivenAtTheEndOfTheInput) {
  read({"2016-10-06T00:17:09.669794202Z stderr P one"});
  EXPECT_TRUE(partial_lines_.waiting());
  finish();
  EXPECT_THAT(given_, ElementsAre("1 2016-10-06T00:17:09.669794202Z stderr F one"));
}

TEST_F(PartialLinesTest, NeverGrowBeyondTheirBound) {
  const std::string part = "2016-10-06T00:17:09.669794202Z stderr P " + std::string(16384, 'x');
  read(std::vector<std::string>(50, part));
  finish();
  EXPECT_GT(given_.size(), 10u);
  for (const std::string& whole : given_) EXPECT_LE(whole.size(), PartialLines::kMaxBytes + 8);
}

TEST_F(PartialLinesTest, OtherTextPassesAsItIs) {
  read({"", "stdout P x", "2016-10-06T00:17:09Z stdout", "1 stdout X y", "10:00:00 stderr Present"});
  EXPECT_THAT(given_, ElementsAre("1 ", "2 stdout P x", "3 2016-10-06T00:17:09Z stdout", "4 1 stdout X y",
                                  "5 10:00:00 stderr Present"));
}

}  // namespace
}  // namespace cutopsy
