// What the finished product must do with whole logs.
#include "tests/corpus/corpus_case.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "engine/rule/advice.h"

namespace cutopsy::corpus {
namespace {

const RuleIndex& index() {
  static const RuleIndex index(RuleSet::built_in());
  return index;
}

// Cases that are not diagnosed right yet, one a line. A case that is right must not be listed.
std::set<std::string> known_misses() {
  std::ifstream file(std::string(CUTOPSY_TEST_DATA) + "/corpus/known_misses.txt");
  std::set<std::string> names;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] != '#') names.insert(line);
  }
  return names;
}

std::string answer(const Diagnosis& diagnosis) {
  if (!diagnosis.incidents.empty() && diagnosis.incidents.front().severity >= Severity::error) {
    return diagnosis.incidents.front().rule;
  }
  if (!diagnosis.unknown.empty()) return "unknown";
  return diagnosis.incidents.empty() ? "none" : diagnosis.incidents.front().rule;
}

class Corpus : public ::testing::TestWithParam<CorpusCase> {};

TEST_P(Corpus, NamesTheRootCause) {
  const CorpusCase& corpus_case = GetParam();
  Analysis analysis = analyse(index(), corpus_case, true);
  std::string got = answer(analysis.diagnosis);
  bool right = corpus_case.cause == "none" ? analysis.diagnosis.outcome != Outcome::failure : got == corpus_case.cause;
  right = right || std::count(corpus_case.accept.begin(), corpus_case.accept.end(), got) > 0;
  bool expected_miss = known_misses().contains(corpus_case.name);
  EXPECT_EQ(right, !expected_miss) << "wanted " << corpus_case.cause << ", got " << got
                                   << (right ? "; take it off known_misses.txt" : "");
}

TEST_P(Corpus, GivesTheSameReportWithoutTheScan) {
  auto scanned = analyse(index(), GetParam(), true);
  auto unscanned = analyse(index(), GetParam(), false);
  EXPECT_EQ(report_of(scanned, index()), report_of(unscanned, index()));
}

TEST_P(Corpus, GivesTheSameReportWithTheLiteralDatabase) {
  static const RuleIndex with_database(RuleSet::built_in());
  with_database.scanner().prepare_for_large_input();
  EXPECT_EQ(report_of(analyse(index(), GetParam(), true), index()),
            report_of(analyse(with_database, GetParam(), true), index()));
}

INSTANTIATE_TEST_SUITE_P(Cases, Corpus, ::testing::ValuesIn(all_cases()), [](const auto& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
});

TEST(HealthyLogs, HaveFewCandidateLines) {
  for (const CorpusCase& corpus_case : all_cases()) {
    if (corpus_case.cause != "none") continue;
    Analysis analysis = analyse(index(), corpus_case, true);
    for (const InputSummary& input : analysis.inputs) {
      double share = static_cast<double>(input.candidate_lines) / static_cast<double>(input.lines);
      std::printf("%-45s %5.1f%% of %llu lines are candidates\n", corpus_case.name.c_str(), 100 * share,
                  static_cast<unsigned long long>(input.lines));
      constexpr std::uint64_t kTooShortForAShare = 25;  // excerpts of what went wrong, not logs of a job
      EXPECT_TRUE(share <= 0.25 || input.lines < kTooShortForAShare) << corpus_case.name;
    }
  }
}

TEST(RuleExamples, GiveTheSameReportWithoutTheScan) {
  std::size_t examples = 0;
  for (const Rule& rule : index().rules().rules()) {
    for (const Example& example : parse_advice(rule).examples) {
      auto report = [&](bool scan) {
        auto source = open_text(example.log);
        return report_of(analyse(index(), "example", *source, {.scan = scan}), index());
      };
      EXPECT_EQ(report(true), report(false)) << rule.id;
      ++examples;
    }
  }
  EXPECT_GT(examples, index().rules().rules().size());
}

}  // namespace
}  // namespace cutopsy::corpus
