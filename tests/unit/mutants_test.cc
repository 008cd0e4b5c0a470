// Every mutant of tests/mutants still fits the source: run.py, which judges them, takes too long for every build.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace cutopsy {
namespace {

const std::filesystem::path kTests = CUTOPSY_TEST_DATA;

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> columns_of(const std::string& row) {
  std::vector<std::string> columns(1);
  for (const char c : row) {
    if (c == '\t') {
      columns.emplace_back();
    } else {
      columns.back() += c;
    }
  }
  return columns;
}

std::size_t count_of(const std::string& line, const std::vector<std::string>& lines) {
  std::size_t count = 0;
  for (const std::string& one : lines) {
    const std::size_t first = one.find_first_not_of(' ');
    count += first != std::string::npos && one.compare(first, std::string::npos, line) == 0;
  }
  return count;
}

TEST(Mutants, EachChangesExactlyOneLineOfItsFile) {
  const auto rows = lines_of(kTests / "mutants/mutants.tsv");
  ASSERT_GT(rows.size(), 20U);
  std::set<std::string> names;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto columns = columns_of(rows[i]);
    ASSERT_EQ(columns.size(), 5U) << rows[i];
    EXPECT_TRUE(names.insert(columns[0]).second) << columns[0] << " is there twice";
    EXPECT_EQ(count_of(columns[2], lines_of(kTests.parent_path() / columns[1])), 1U)
        << columns[0] << ": bring its line up to date: " << columns[2];
    EXPECT_NE(columns[2], columns[3]) << columns[0];
  }
}

TEST(Mutants, NameTestsThatTheirRunBuilds) {
  std::ifstream file(kTests / "mutants/CMakeLists.txt");
  const std::string built((std::istreambuf_iterator<char>(file)), {});
  const auto rows = lines_of(kTests / "mutants/mutants.tsv");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    std::istringstream tests(columns_of(rows[i]).back());
    for (std::string test; tests >> test;) {
      EXPECT_NE(built.find("_test(" + test.substr(0, test.find(':'))), std::string::npos) << test;
    }
  }
}

}  // namespace
}  // namespace cutopsy
