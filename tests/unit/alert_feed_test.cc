// One line for a fault, and few for a storm of it.
#include "engine/live/alert_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "engine/live/metrics_file.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AlertFeedTest : public ::testing::Test {
 protected:
  Finding finding(const std::string& host) {
    Finding found;
    found.rule = &rule_;
    found.severity = Severity::fatal;
    found.envelope.host = host;
    found.where.line = 7;
    found.text = "NVRM: Xid 79";
    return found;
  }

  Rule rule_ = [] {
    Rule rule;
    rule.id = "driver/xid-79";
    rule.title = "The GPU is gone";
    return rule;
  }();
  std::vector<nlohmann::json> alerts_;
  AlertFeed feed_{[this](const std::string& line) { alerts_.push_back(nlohmann::json::parse(line)); }};
  AlertFeed::Clock::time_point start_ = AlertFeed::Clock::now();

  AlertFeed::Clock::time_point after(int seconds) const { return start_ + std::chrono::seconds(seconds); }
};

TEST_F(AlertFeedTest, TellsTheFirstFindingAtOnce) {
  feed_.add("kern.log", finding("n1"), after(0));
  ASSERT_THAT(alerts_, SizeIs(1));
  EXPECT_EQ(alerts_[0]["rule"], "driver/xid-79");
  EXPECT_EQ(alerts_[0]["severity"], "fatal");
  EXPECT_EQ(alerts_[0]["where"]["host"], "n1");
  EXPECT_EQ(alerts_[0]["where"]["line"], 7);
  EXPECT_EQ(alerts_[0]["count"], 1);
}

TEST_F(AlertFeedTest, AStormIsTwoLines) {
  for (int i = 0; i < 1'000'000; ++i) feed_.add("kern.log", finding("n1"), after(0));
  feed_.tell_repeats(after(59));
  ASSERT_THAT(alerts_, SizeIs(1));
  feed_.tell_repeats(after(60));
  ASSERT_THAT(alerts_, SizeIs(2));
  EXPECT_EQ(alerts_[1]["new"], 999'999);
  EXPECT_EQ(alerts_[1]["count"], 1'000'000);
  feed_.tell_repeats(after(600));
  EXPECT_THAT(alerts_, SizeIs(2));
}

TEST_F(AlertFeedTest, HostsAreToldApart) {
  feed_.add("kern.log", finding("n1"), after(0));
  feed_.add("kern.log", finding("n2"), after(0));
  EXPECT_THAT(alerts_, SizeIs(2));
}

TEST_F(AlertFeedTest, TheEndTellsAllRepeats) {
  feed_.add("kern.log", finding("n1"), after(0));
  feed_.add("kern.log", finding("n1"), after(1));
  feed_.tell_repeats(after(2), true);
  ASSERT_THAT(alerts_, SizeIs(2));
  EXPECT_EQ(alerts_[1]["new"], 1);
}

TEST_F(AlertFeedTest, QuotedAndHarmlessFindingsAreNotTold) {
  Finding quoted = finding("n1");
  quoted.quoted = true;
  feed_.add("kern.log", quoted, after(0));
  Finding harmless = finding("n1");
  harmless.severity = Severity::info;
  feed_.add("kern.log", harmless, after(0));
  EXPECT_THAT(alerts_, IsEmpty());
}

TEST_F(AlertFeedTest, FaultsBeyondTheBoundAreCountedStill) {
  for (std::size_t i = 0; i < AlertFeed::kMaxFaults + 10; ++i)
    feed_.add("l", finding("n" + std::to_string(i)), after(0));
  EXPECT_THAT(alerts_, SizeIs(AlertFeed::kMaxFaults));
  EXPECT_EQ(feed_.counts().at("driver/xid-79").findings, AlertFeed::kMaxFaults + 10);
}

TEST_F(AlertFeedTest, MetricsHaveTheExpositionFormat) {
  feed_.add("kern.log", finding("n1"), after(0));
  feed_.add("kern.log", finding("n1"), after(1));
  EXPECT_EQ(metrics_text(feed_.counts()),
            "# HELP cutopsy_findings_total Findings in the followed logs, by rule and severity.\n"
            "# TYPE cutopsy_findings_total counter\n"
            "cutopsy_findings_total{rule=\"driver/xid-79\",severity=\"fatal\"} 2\n");
}

}  // namespace
}  // namespace cutopsy
