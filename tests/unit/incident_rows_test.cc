// Rows over cases: in whatever order and grouping lines are merged, the result is the same.
#include "engine/report/incident_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

Json line(const std::string& fingerprint, const std::string& input, std::uint64_t number = 1) {
  return {{"rule", "a/" + fingerprint},
          {"severity", "error"},
          {"fingerprint", fingerprint},
          {"count", 2},
          {"where", {{"input", input}, {"line", number}}}};
}

std::vector<std::string> merged(const std::vector<Json>& lines) {
  IncidentRows rows;
  for (const Json& line : lines) rows.add(line);
  std::vector<std::string> texts;
  for (const IncidentRow& row : rows.sorted()) texts.push_back(dumped(row.incident));
  return texts;
}

std::vector<Json> parsed(const std::vector<std::string>& texts) {
  std::vector<Json> lines;
  for (const std::string& text : texts) lines.push_back(Json::parse(text));
  return lines;
}

// A line of any kind: rows of one case and of many, members that are missing or of a wrong type.
Json random_line(std::mt19937& random) {
  const auto pick = [&](std::uint64_t upto) { return random() % (upto + 1); };
  Json made = line(std::string(1, static_cast<char>('a' + pick(3))), "log" + std::to_string(pick(30)), pick(4));
  const char* severities[] = {"info", "warning", "error", "fatal", "odd"};
  made["severity"] = severities[pick(4)];
  if (pick(1)) made["count"] = pick(9) == 0 ? ~std::uint64_t{0} : pick(1000);
  if (pick(1)) made["cases"] = pick(5);
  if (pick(4) == 0) made["cases"] = "many";
  if (pick(1)) made["first_seen"] = "2026-01-0" + std::to_string(1 + pick(8)) + "T00:00:00Z";
  if (pick(1)) made["last_seen"] = "2026-02-0" + std::to_string(1 + pick(8)) + "T00:00:00Z";
  if (pick(1)) made["case_names"] = {"log" + std::to_string(pick(30)), "log" + std::to_string(pick(30))};
  if (pick(1)) made["title"] = "title " + std::to_string(pick(2));
  if (pick(3) == 0) made["case"] = pick(9);
  if (pick(3) == 0) made["known"] = pick(1) == 1;
  return made;
}

TEST(IncidentRows, AddUpCasesOfOneFingerprint) {
  IncidentRows rows;
  rows.add(line("a", "2.log"), 7);
  rows.add(line("a", "1.log"), 8);
  rows.add(line("b", "1.log"), 9);
  const auto sorted = rows.sorted();
  ASSERT_THAT(sorted, SizeIs(2));
  EXPECT_EQ(sorted[0].incident["cases"], 2);
  EXPECT_EQ(sorted[0].incident["count"], 4);
  EXPECT_EQ(sorted[0].incident["case_names"], Json({"1.log", "2.log"}));
  EXPECT_EQ(sorted[0].incident["where"]["input"], "1.log");
  EXPECT_EQ(sorted[0].origin, 8);
}

TEST(IncidentRows, KeepTheWorstSeverityAndTheOuterDates) {
  Json early = line("a", "1.log"), late = line("a", "2.log");
  early["first_seen"] = early["last_seen"] = "2026-01-01T00:00:00Z";
  late["first_seen"] = late["last_seen"] = "2026-03-01T00:00:00Z";
  late["severity"] = "fatal";
  IncidentRows rows;
  for (const Json& one : {late, early, line("a", "3.log")}) rows.add(one);
  const Json row = rows.sorted().front().incident;
  EXPECT_EQ(row["severity"], "fatal");
  EXPECT_EQ(row["first_seen"], "2026-01-01T00:00:00Z");
  EXPECT_EQ(row["last_seen"], "2026-03-01T00:00:00Z");
}

TEST(IncidentRows, PutFirstWhatBrokeMostCasesAndLastWhatNoRuleKnows) {
  Json worse = line("c", "1.log"), unknown = line("d", "1.log");
  worse["severity"] = "fatal";
  unknown["rule"] = kUnknownRule;
  unknown["cases"] = 100;
  IncidentRows rows;
  for (const Json& one : {unknown, line("b", "1.log"), line("a", "1.log"), line("a", "2.log"), worse}) rows.add(one);
  std::vector<std::string> order;
  for (const IncidentRow& row : rows.sorted()) order.push_back(row.incident["fingerprint"]);
  EXPECT_THAT(order, ElementsAre("a", "c", "b", "d"));
}

TEST(IncidentRows, ListOnlyTheFirstNames) {
  IncidentRows rows;
  for (int i = 99; i >= 10; --i) rows.add(line("a", std::to_string(i) + ".log"));
  const Json row = rows.sorted().front().incident;
  EXPECT_EQ(row["cases"], 90);
  EXPECT_EQ(row["case_names"].size(), kMaxCaseNames);
  EXPECT_EQ(row["case_names"][0], "10.log");
}

TEST(IncidentRows, MergeToTheSameInAnyOrder) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Json> lines;
    for (int i = 0; i < 12; ++i) lines.push_back(random_line(random));
    const auto expected = merged(lines);
    std::shuffle(lines.begin(), lines.end(), random);
    ASSERT_EQ(merged(lines), expected) << "round " << round;
  }
}

TEST(IncidentRows, MergeToTheSameInAnyGrouping) {
  std::mt19937 random(2);
  for (int round = 0; round < 200; ++round) {
    std::vector<Json> all, left, right;
    for (int i = 0; i < 12; ++i) {
      all.push_back(random_line(random));
      (random() % 2 == 0 ? left : right).push_back(all.back());
    }
    std::vector<Json> parts = parsed(merged(left));
    for (Json& row : parsed(merged(right))) parts.push_back(std::move(row));
    ASSERT_EQ(merged(parts), merged(all)) << "round " << round;
  }
}

TEST(IncidentRows, StayAsTheyAreWhenMergedAlone) {
  std::mt19937 random(3);
  std::vector<Json> lines;
  for (int i = 0; i < 50; ++i) lines.push_back(random_line(random));
  const auto once = merged(lines);
  EXPECT_EQ(merged(parsed(once)), once);
}

}  // namespace
}  // namespace cutopsy
