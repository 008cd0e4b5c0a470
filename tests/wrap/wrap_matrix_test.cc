// What a log is wrapped in must not change its diagnosis: each labelled log, in each envelope that wrap.py makes, has
// the first incident that it has without.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/source/input.h"
#include "tests/corpus/corpus_case.h"

namespace cutopsy::corpus {
namespace {

namespace fs = std::filesystem;

const std::string kFolder = std::string(CUTOPSY_TEST_DATA) + "/wrap/";
const std::string kGenerator = "python3 -B " + kFolder + "wrap.py ";

std::vector<std::string> all_wraps() {
  std::vector<std::string> wraps;
  FILE* pipe = popen((kGenerator + "--list").c_str(), "r");
  if (pipe == nullptr) return wraps;
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  pclose(pipe);
  std::istringstream names(text);
  for (std::string name; names >> name;) wraps.push_back(name);
  return wraps;
}

// Pairs of wrap and case that are allowed to differ; exceptions.tsv says why.
std::set<std::pair<std::string, std::string>> exceptions() {
  std::ifstream file(kFolder + "exceptions.tsv");
  std::set<std::pair<std::string, std::string>> pairs;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream columns(line);
    std::pair<std::string, std::string> pair;
    std::getline(std::getline(columns, pair.first, '\t'), pair.second, '\t');
    pairs.insert(pair);
  }
  return pairs;
}

// The first incident's rule, "unknown", or "none" when nothing failed.
std::string answer(const RuleIndex& index, const std::vector<std::string>& paths) {
  Case job(index);
  for (const std::string& path : paths) {
    auto source = open_input(path);
    job.add(read_input(index, path, *source));
  }
  const Diagnosis diagnosis = job.finish().diagnosis;
  const auto& incidents = diagnosis.incidents;
  if (!incidents.empty() && incidents.front().severity >= Severity::error) return incidents.front().rule;
  return diagnosis.unknown.empty() ? "none" : "unknown";
}

class Wrap : public ::testing::TestWithParam<std::string> {
 protected:
  Wrap() {
    std::string pattern = (fs::temp_directory_path() / "cutopsy-wrap-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~Wrap() override { fs::remove_all(folder_); }

  // The wrapped files of a case; those that the wrap makes no sense for as they are; none when it makes sense for none.
  std::vector<std::string> wrapped(const CorpusCase& corpus_case) const {
    std::vector<std::string> paths;
    bool any = false;
    for (const std::string& path : corpus_case.files) {
      const fs::path target = folder_ / corpus_case.name / fs::path(path).filename();
      any = any || fs::exists(target);
      paths.push_back(fs::exists(target) ? target.string() : path);
    }
    return any ? paths : std::vector<std::string>{};
  }

  fs::path folder_;
};

TEST_P(Wrap, LeavesTheFirstIncidentAsItIs) {
  const std::string corpus = std::string(CUTOPSY_TEST_DATA) + "/corpus";
  const int status = std::system((kGenerator + GetParam() + " " + corpus + " " + folder_.string()).c_str());
  constexpr int kToolIsMissing = 3;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kToolIsMissing) GTEST_SKIP() << "its tool is not installed";
  ASSERT_EQ(status, 0);

  const RuleIndex index(RuleSet::built_in());
  const auto allowed = exceptions();
  int compared = 0;
  for (const CorpusCase& corpus_case : all_cases()) {
    const std::vector<std::string> paths = wrapped(corpus_case);
    if (paths.empty()) continue;
    const bool same = answer(index, paths) == answer(index, corpus_case.files);
    EXPECT_EQ(same, !allowed.contains({GetParam(), corpus_case.name}))
        << corpus_case.name << ": " << answer(index, corpus_case.files) << " became " << answer(index, paths)
        << (same ? "; take it off exceptions.tsv" : "");
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

INSTANTIATE_TEST_SUITE_P(Corpus, Wrap, ::testing::ValuesIn(all_wraps()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace cutopsy::corpus
