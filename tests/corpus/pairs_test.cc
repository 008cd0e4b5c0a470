// Two failed jobs at once: as files of a folder each keeps its answer, in one file neither is swallowed by the other.
#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <utility>

#include "engine/batch.h"
#include "tests/corpus/corpus_case.h"
#include "tests/unit/temporary_folder.h"

namespace cutopsy::corpus {
namespace {

struct FailedJob {
  std::string name;
  std::string text;
  std::string root;  ///< rule of its first incident
};

const RuleIndex& index() {
  static const RuleIndex built_in(RuleSet::built_in());
  return built_in;
}

std::string family(const std::string& rule) {
  return rule.substr(0, rule.find('/'));
}

// The cases of one file whose root is found.
std::vector<FailedJob> failed_jobs() {
  std::vector<FailedJob> jobs;
  for (const CorpusCase& corpus_case : all_cases()) {
    if (corpus_case.cause == "none" || corpus_case.files.size() != 1) continue;
    const Diagnosis diagnosis = analyse(index(), corpus_case, true).diagnosis;
    if (diagnosis.incidents.empty() || diagnosis.incidents[0].rule != corpus_case.cause) continue;
    std::ifstream file(corpus_case.files[0], std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    jobs.push_back({corpus_case.name, text.str(), corpus_case.cause});
  }
  return jobs;
}

constexpr int kPairs = 200;

// Pairs of jobs of different families, the same in every run.
std::vector<std::pair<FailedJob, FailedJob>> random_pairs() {
  const std::vector<FailedJob> jobs = failed_jobs();
  std::vector<std::pair<FailedJob, FailedJob>> pairs;
  std::mt19937 random(20261201);
  while (pairs.size() < kPairs) {
    const FailedJob& a = jobs[random() % jobs.size()];
    const FailedJob& b = jobs[random() % jobs.size()];
    if (family(a.root) != family(b.root)) pairs.emplace_back(a, b);
  }
  return pairs;
}

std::string first_rule(const Analysis& analysis) {
  return analysis.diagnosis.incidents.empty() ? "none" : analysis.diagnosis.incidents[0].rule;
}

// As an incident, or as what followed from one: in one file it may.
bool tells_of(const Diagnosis& diagnosis, const std::string& rule) {
  return std::ranges::any_of(diagnosis.incidents, [&](const Incident& incident) {
    return incident.rule == rule ||
           std::ranges::any_of(incident.symptoms, [&](const Symptom& symptom) { return symptom.rule == rule; });
  });
}

TEST(PairsOfFailedJobs, InOneFolderKeepTheirRoots) {
  for (const auto& [a, b] : random_pairs()) {
    const TemporaryFolder folder;
    folder.write("a.log", a.text);
    folder.write("b.log", b.text);
    const Batch batch = analyse_inputs(index(), list_inputs({folder.path().string()}), {.reading = {.jobs = 2}});
    ASSERT_EQ(batch.cases.size(), 2u) << a.name << " and " << b.name;
    EXPECT_EQ(first_rule(batch.cases[0]), a.root) << a.name << " beside " << b.name;
    EXPECT_EQ(first_rule(batch.cases[1]), b.root) << b.name << " beside " << a.name;
  }
}

TEST(PairsOfFailedJobs, InOneFileAreBothTold) {
  for (const auto& [a, b] : random_pairs()) {
    const auto source = open_text(a.text + "\n" + b.text);
    const Diagnosis diagnosis = analyse(index(), "both.log", *source).diagnosis;
    EXPECT_TRUE(tells_of(diagnosis, a.root)) << a.root << " of " << a.name << " before " << b.name;
    EXPECT_TRUE(tells_of(diagnosis, b.root)) << b.root << " of " << b.name << " behind " << a.name;
  }
}

}  // namespace
}  // namespace cutopsy::corpus
