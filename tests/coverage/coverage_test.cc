// Every message of the tables beside this file is known: its log gives the incident that the row names, and only it.
//
// A table is a .tsv file. A row is two columns: the rule that must come out, and the log, with the escapes of
// tests/unit/escapes.h. Several rules that will do are parted by '|'; "none" stands for no incident at all. Lines that
// start with '#' are comments; they say where the messages come from.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include "engine/pipeline.h"
#include "tests/unit/escapes.h"

namespace cutopsy {
namespace {

std::vector<std::string> tables() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(CUTOPSY_TEST_DATA "/coverage"))
    if (entry.path().extension() == ".tsv") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

// The rules of all incidents, the most important first, parted by commas.
std::string answer_to(const std::string& log) {
  static const RuleIndex index(RuleSet::built_in());
  const auto source = open_text(log);
  const Diagnosis diagnosis = analyse(index, "log", *source).diagnosis;
  std::string rules;
  for (const Incident& incident : diagnosis.incidents) rules += (rules.empty() ? "" : ",") + incident.rule;
  for (const auto& unknown : diagnosis.unknown)
    rules += (rules.empty() ? "unknown: " : ",unknown: ") + unknown.signature;
  return rules.empty() ? "none" : rules;
}

bool is_one_of(std::string_view choices, std::string_view answer) {
  return std::ranges::any_of(std::views::split(choices, '|'), [&](const auto& choice) {
    return std::string_view(choice.begin(), choice.end()) == answer;
  });
}

// A rule that only says where an exception was raised.
bool names_no_cause(std::string_view rule) {
  return rule == "other/python-exception" || rule == "pytorch/framework-check-failed";
}

class Coverage : public testing::TestWithParam<std::string> {};

TEST_P(Coverage, HasARuleForEveryRow) {
  std::ifstream file(CUTOPSY_TEST_DATA "/coverage/" + GetParam() + ".tsv");
  int number = 0;
  int rows = 0;
  for (std::string row; std::getline(file, row);) {
    ++number;
    if (row.empty() || row[0] == '#') continue;
    ++rows;
    const std::size_t tab = row.find('\t');
    ASSERT_NE(tab, row.npos) << "line " << number << " has no tab";
    const std::string answer = answer_to(unescape(std::string_view(row).substr(tab + 1)));
    EXPECT_TRUE(is_one_of(row.substr(0, tab), answer))
        << GetParam() << ".tsv:" << number << ": got " << answer << " for " << row;
  }
  EXPECT_GT(rows, 0);
}

// Read together with the test above: these answers do come out.
TEST(FrameworkAsserts, HaveACauseForNineInTen) {
  std::ifstream file(CUTOPSY_TEST_DATA "/coverage/framework_asserts.tsv");
  std::size_t rows = 0;
  std::size_t specific = 0;
  for (std::string row; std::getline(file, row);) {
    if (row.empty() || row[0] == '#') continue;
    ++rows;
    if (!names_no_cause(std::string_view(row).substr(0, row.find('\t')))) ++specific;
  }
  EXPECT_GE(rows, 1448U);
  EXPECT_GE(specific * 10, rows * 9);
}

INSTANTIATE_TEST_SUITE_P(Tables, Coverage, testing::ValuesIn(tables()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace cutopsy
