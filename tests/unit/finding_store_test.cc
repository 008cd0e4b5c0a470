// What one input's findings may cost, and what stays when there are too many.
#include "engine/match/finding_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class FindingStoreTest : public testing::Test {
 protected:
  const Rule* rule(std::string id, std::vector<Relation> clears = {}) {
    relations_.push_back(std::move(clears));
    Rule& rule = rules_.emplace_back();
    rule.id = ids_.emplace_back(std::move(id));
    rule.clears = relations_.back();
    return &rule;
  }

  // The finding of a process of its own.
  Finding finding(const Rule* rule, std::size_t pid) {
    Finding finding;
    finding.rule = rule;
    finding.kind = "line";
    finding.envelope.pid = std::to_string(pid);
    finding.where = finding.begin = finding.last = {0, ++line_};
    finding.text = "it broke";
    return finding;
  }

  FindingStore store;

 private:
  std::deque<std::string> ids_;
  std::deque<Rule> rules_;
  std::deque<std::vector<Relation>> relations_;
  std::uint64_t line_ = 0;
};

std::uint64_t total(const std::vector<Finding>& findings) {
  std::uint64_t count = 0;
  for (const Finding& finding : findings) count += finding.count;
  return count;
}

TEST_F(FindingStoreTest, TellsSoManyFindingsOfARuleApartAndCountsTheRestWithTheFirst) {
  const Rule* noisy = rule("x/noisy");
  for (std::size_t i = 0; i < FindingStore::kMaxOfRule; ++i) store.add(finding(noisy, i), 0);
  EXPECT_EQ(store.merged(), 0u);
  store.add(finding(noisy, FindingStore::kMaxOfRule), 0);
  EXPECT_EQ(store.merged(), 1u);
  const auto findings = store.take();
  ASSERT_THAT(findings, SizeIs(FindingStore::kMaxOfRule));
  EXPECT_EQ(findings[0].count, 2u);
  EXPECT_EQ(findings[0].last.line, FindingStore::kMaxOfRule + 1);
}

TEST_F(FindingStoreTest, ANoisyRuleDoesNotCrowdOutAnother) {
  const Rule* noisy = rule("x/noisy");
  for (std::size_t i = 0; i < 100'000; ++i) store.add(finding(noisy, i), 0);
  store.add(finding(rule("x/cause"), 0), 0);
  const auto findings = store.take();
  EXPECT_EQ(findings.back().rule->id, "x/cause");
  EXPECT_EQ(total(findings), 100'001u);
}

TEST_F(FindingStoreTest, KeepsTheFirstOfEachRuleWhenFull) {
  constexpr std::size_t kRules = FindingStore::kMaxFindings / FindingStore::kMaxOfRule + 4;
  for (std::size_t i = 0; i < kRules; ++i) {
    const Rule* noisy = rule(fmt::format("x/noisy{}", i));
    for (std::size_t pid = 0; pid < FindingStore::kMaxOfRule; ++pid) store.add(finding(noisy, pid * kRules + i), 0);
  }
  EXPECT_EQ(store.merged(), 4 * (FindingStore::kMaxOfRule - 1));
  store.add(finding(rule("y/last"), 0), 0);
  const auto findings = store.take();
  EXPECT_THAT(findings, SizeIs(FindingStore::kMaxFindings + 5));
  EXPECT_EQ(findings.back().rule->id, "y/last");
}

TEST_F(FindingStoreTest, KeepsSoManyBytesOfTexts) {
  const std::string long_value(Fields::kMaxValueBytes, 'x');
  std::size_t kept = 0;
  for (int i = 0; i < 100; ++i) {
    const Rule* wordy = rule("x/wordy" + std::to_string(i));
    for (std::size_t pid = 0; pid < 100; ++pid) {
      Finding wide = finding(wordy, pid);
      for (int field = 0; field < 8; ++field) wide.fields.set("field" + std::to_string(field), long_value);
      store.add(std::move(wide), 0);
    }
  }
  EXPECT_GT(store.merged(), 0u);
  const auto findings = store.take();
  for (const Finding& finding : findings) kept += finding.fields.size() * Fields::kMaxValueBytes;
  EXPECT_LT(kept, FindingStore::kMaxBytes + 100 * 8 * Fields::kMaxValueBytes);
  EXPECT_EQ(total(findings), 10'000u);
}

TEST_F(FindingStoreTest, CutsTheTextOfALine) {
  for (std::size_t bytes : {FindingStore::kMaxTextBytes, FindingStore::kMaxTextBytes + 1}) {
    Finding wide = finding(rule("x/wide"), bytes);
    wide.text.assign(bytes, 'x');
    store.add(std::move(wide), 0);
  }
  for (const Finding& finding : store.take()) EXPECT_EQ(finding.text.size(), FindingStore::kMaxTextBytes);
}

TEST_F(FindingStoreTest, NamesSoManyRanks) {
  const Rule* everywhere = rule("x/everywhere");
  for (std::size_t i = 0; i < FindingStore::kMaxOfRule + FindingStore::kMaxRanks; ++i) {
    Finding one = finding(everywhere, 0);
    one.envelope.rank = std::to_string(i);
    store.add(std::move(one), 0);
  }
  EXPECT_EQ(store.merged(), FindingStore::kMaxRanks);
  EXPECT_THAT(store.take()[0].ranks, SizeIs(FindingStore::kMaxRanks));
}

TEST_F(FindingStoreTest, WhatIsTakenBackAgainAndAgainCostsNothing) {
  const Rule* retried = rule("memory/gpu-oom");
  const Rule* recovered = rule("memory/recovered", {{"memory/*"}});
  for (int i = 0; i < 10'000; ++i) {
    store.add(finding(retried, 1), 0);
    store.clear_earlier(finding(recovered, 1));
  }
  store.add(finding(retried, 1), 0);
  const auto findings = store.take();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_FALSE(findings[0].cleared);
  EXPECT_EQ(findings[0].where.line, 20'001u);
}

TEST_F(FindingStoreTest, TakesBackTheExceptionOfTheLineThatIsTakenBack) {
  const Rule* retried = rule("memory/gpu-oom");
  const Rule* exception = rule("other/python-exception");
  const Rule* recovered = rule("memory/recovered", {{"memory/*"}});
  Finding oom = finding(retried, 1);
  Finding same = finding(exception, 1);
  Finding another = finding(exception, 2);
  same.where = oom.where;
  same.role = another.role = Role::generic;
  store.add(std::move(oom), 0);
  store.add(std::move(same), 0);
  store.add(std::move(another), 0);
  store.clear_earlier(finding(recovered, 1));
  std::vector<bool> cleared;
  for (const Finding& finding : store.take()) cleared.push_back(finding.cleared);
  EXPECT_THAT(cleared, ElementsAre(true, true, false));
}

TEST_F(FindingStoreTest, TakesBackNothingOfAnotherPod) {
  const Rule* waiting = rule("container/device-plugin-no-gpu");
  const Rule* scheduled = rule("container/pod-scheduled", {{"container/device-plugin-no-gpu"}});
  for (std::string_view pod : {"train-0", "train-1", ""}) {
    Finding waits = finding(waiting, 1);
    if (!pod.empty()) waits.fields.set("pod", pod);
    store.add(std::move(waits), 0);
  }
  Finding placed = finding(scheduled, 1);
  placed.fields.set("pod", "ml/train-0");
  store.clear_earlier(placed);
  std::vector<bool> cleared;
  for (const Finding& finding : store.take()) cleared.push_back(finding.cleared);
  EXPECT_THAT(cleared, ElementsAre(true, false, true));
}

TEST_F(FindingStoreTest, KeepsLinesThatToldMore) {
  const Rule* killed = rule("memory/host-oom");
  for (int i = 0; i < 6; ++i) {
    Finding part = finding(killed, 1);
    part.text = fmt::format("line {}", i);
    part.fields.set(fmt::format("field{}", i), "x");
    store.add(std::move(part), 0);
  }
  const auto findings = store.take();
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].fields.size(), 6u);
  std::vector<std::string> more;
  for (const Evidence& line : findings[0].more) more.push_back(line.text);
  EXPECT_THAT(more, ElementsAre("line 1", "line 2", "line 3"));
}

}  // namespace
}  // namespace cutopsy
