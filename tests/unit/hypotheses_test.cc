// Every hypothesis about a machine has a check, a planned one, or a reason why there can be none:
// tests/confirm/hypotheses.tsv.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "validators/check.h"

namespace cutopsy {
namespace {

struct HypothesisRow {
  std::string id, by, note;
  std::vector<std::string> names;
};

std::vector<HypothesisRow> hypotheses() {
  std::ifstream table(CUTOPSY_TEST_DATA "/confirm/hypotheses.tsv");
  std::vector<HypothesisRow> rows;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#') || line.starts_with("id\t")) continue;
    HypothesisRow row;
    std::string names;
    std::istringstream cells(line);
    std::getline(cells, row.id, '\t');
    std::getline(cells, row.by, '\t');
    std::getline(cells, names, '\t');
    std::getline(cells, row.note);
    std::istringstream words(names);
    for (std::string name; std::getline(words >> std::ws, name, ',');) row.names.push_back(name);
    rows.push_back(row);
  }
  return rows;
}

TEST(Hypotheses, AreEachListedOnce) {
  std::set<std::string> ids;
  for (const HypothesisRow& row : hypotheses()) EXPECT_TRUE(ids.insert(row.id).second) << row.id;
  EXPECT_GE(ids.size(), 87U);
}

TEST(Hypotheses, NameChecksThatExist) {
  for (const HypothesisRow& row : hypotheses()) {
    if (row.by != "check") continue;
    EXPECT_FALSE(row.names.empty()) << row.id;
    for (const std::string& name : row.names) EXPECT_NE(find_check(name), nullptr) << row.id << ": " << name;
  }
}

TEST(Hypotheses, ArePlannedOnlyWhileTheCheckIsMissing) {
  for (const HypothesisRow& row : hypotheses()) {
    if (row.by != "later") continue;
    for (const std::string& name : row.names) EXPECT_EQ(find_check(name), nullptr) << row.id << ": " << name;
  }
}

TEST(Hypotheses, GoWithoutACheckOnlyForAReason) {
  for (const HypothesisRow& row : hypotheses()) {
    EXPECT_THAT(row.by, testing::AnyOf("check", "later", "log", "none")) << row.id;
    const bool needs_reason = row.by == "log" || row.by == "none";
    EXPECT_TRUE(!needs_reason || !row.note.empty()) << row.id;
  }
}

}  // namespace
}  // namespace cutopsy
