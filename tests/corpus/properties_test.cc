// What must hold for every log: what is added around a root, doubled or given in another order changes no diagnosis.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include "engine/explain/explain.h"
#include "tests/corpus/corpus_case.h"

namespace cutopsy::corpus {
namespace {

using ::testing::UnorderedElementsAreArray;

const RuleIndex& index() {
  static const RuleIndex built_in(RuleSet::built_in());
  return built_in;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

using Inputs = std::vector<std::pair<std::string, std::string>>;  // name, text

Inputs inputs_of(const CorpusCase& corpus_case) {
  Inputs inputs;
  for (const std::string& path : corpus_case.files) inputs.emplace_back(path, text_of(path));
  return inputs;
}

Diagnosis diagnose(const Inputs& inputs) {
  Case job(index());
  for (const auto& [name, text] : inputs) {
    auto source = open_text(text);
    job.add(read_input(index(), name, *source));
  }
  return job.finish().diagnosis;
}

std::vector<std::string> failing_rules(const Diagnosis& diagnosis) {
  std::vector<std::string> rules;
  for (const Incident& incident : diagnosis.incidents) {
    if (incident.severity >= Severity::error) rules.push_back(incident.rule);
  }
  return rules;
}

// The rule that the first incident has for its root, as role cause.
bool has_root_cause(const CorpusCase& corpus_case) {
  const Analysis analysis = analyse(index(), corpus_case, true);
  if (failing_rules(analysis.diagnosis).empty()) return false;
  return std::any_of(analysis.findings.begin(), analysis.findings.end(), [&](const Finding& finding) {
    return finding.role == Role::cause && name_of(finding) == analysis.diagnosis.incidents[0].rule;
  });
}

bool has_symptoms(const CorpusCase& corpus_case) {
  const Diagnosis diagnosis = analyse(index(), corpus_case, true).diagnosis;
  return !failing_rules(diagnosis).empty() && !diagnosis.incidents[0].symptoms.empty();
}

std::vector<CorpusCase> cases_that(bool (*hold)(const CorpusCase&)) {
  std::vector<CorpusCase> cases = all_cases();
  std::erase_if(cases, [&](const CorpusCase& corpus_case) { return !hold(corpus_case); });
  return cases;
}

class Property : public ::testing::TestWithParam<CorpusCase> {
 protected:
  Inputs inputs_ = inputs_of(GetParam());
  Diagnosis original_ = diagnose(inputs_);
};
class RootProperty : public Property {};
class SymptomProperty : public Property {};

TEST_P(Property, TheOrderOfInputsChangesNothing) {
  std::mt19937 random(7);
  for (int round = 0; round < 3; ++round) {
    std::shuffle(inputs_.begin(), inputs_.end(), random);
    const Diagnosis shuffled = diagnose(inputs_);
    EXPECT_EQ(failing_rules(shuffled), failing_rules(original_));
    EXPECT_EQ(shuffled.unknown.size(), original_.unknown.size());
  }
}

TEST_P(Property, ALogGivenTwiceAddsNoIncident) {
  Inputs twice = inputs_;
  for (const auto& [name, text] : inputs_) twice.emplace_back(name + ".copy", text);
  const Diagnosis doubled = diagnose(twice);
  EXPECT_THAT(failing_rules(doubled), UnorderedElementsAreArray(failing_rules(original_)));
  EXPECT_EQ(doubled.unknown.size(), original_.unknown.size());
}

TEST_P(Property, OrdinaryLinesBeforeALogChangeNothing) {
  for (auto& [name, text] : inputs_) {
    if (text.starts_with("\xff\xfe") || text.starts_with("\xef\xbb\xbf")) return;  // a mark of its encoding is first
    std::string lines;
    for (int step = 0; step < 40; ++step) lines += "step " + std::to_string(step) + " of 5000, 312 samples/s\n";
    text = lines + text;
  }
  const Diagnosis later = diagnose(inputs_);
  EXPECT_EQ(failing_rules(later), failing_rules(original_));
  EXPECT_EQ(later.unknown.size(), original_.unknown.size());
}

TEST_P(RootProperty, SymptomsAddedBehindTheRootDoNotReplaceIt) {
  constexpr const char* kSymptoms[] = {
      "\nterminate called after throwing an instance of 'c10::DistBackendError'\n",
      "\n[rank5]:[E1130 10:00:00.123456789 ProcessGroupNCCL.cpp:629] [Rank 5] Watchdog caught collective operation "
      "timeout: WorkNCCL(SeqNum=1024, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1800000) ran for 1800012 "
      "milliseconds before timing out.\n",
      "\ntorch.distributed.elastic.multiprocessing.errors.ChildFailedError: \nRoot Cause (first observed failure):\n"
      "  rank      : 5 (local_rank: 5)\n  exitcode  : 1 (pid: 4242)\n",
      "\nRuntimeError: Connection closed by remote peer [10.0.0.2]:41000\n",
      "\nsrun: error: node7: task 5: Exited with exit code 1\n",
      "\nsrun: error: node7: task 5: Aborted (core dumped)\n",
      "\nmake: *** [Makefile:12: train] Error 1\n",
  };
  for (const char* symptom : kSymptoms) {
    Inputs more = inputs_;
    more.back().second += symptom;
    const std::vector<std::string> rules = failing_rules(diagnose(more));
    ASSERT_FALSE(rules.empty()) << symptom;
    EXPECT_EQ(rules.front(), failing_rules(original_).front()) << symptom;
  }
}

// Without the lines that name the root, what it explained is all that is left, and that is less sure.
TEST_P(SymptomProperty, WithoutItsRootASymptomIsTheAnswerAndLessSure) {
  const Incident& root = original_.incidents[0];
  Analysis analysis = analyse(index(), GetParam(), true);
  std::set<std::pair<std::uint32_t, std::uint64_t>> lines;
  for (const Finding& finding : analysis.findings) {
    if (name_of(finding) == root.rule) lines.emplace(finding.where.input, finding.where.line);
  }
  std::erase_if(analysis.findings, [&](const Finding& finding) {
    return lines.count({finding.where.input, finding.where.line}) > 0;
  });
  const std::vector<InputTraits> traits(inputs_.size(), InputTraits{.lines = 1});
  const Diagnosis rest = explain(index(), analysis.findings, {}, traits);
  ASSERT_FALSE(rest.incidents.empty() && rest.unknown.empty());
  if (rest.incidents.empty()) return;
  EXPECT_NE(rest.incidents[0].rule, root.rule);
  EXPECT_LT(rest.incidents[0].confidence, root.confidence) << rest.incidents[0].rule;
}

std::string name_of_case(const ::testing::TestParamInfo<CorpusCase>& info) {
  std::string name = info.param.name;
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Property, ::testing::ValuesIn(all_cases()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Cases, RootProperty, ::testing::ValuesIn(cases_that(has_root_cause)), name_of_case);
INSTANTIATE_TEST_SUITE_P(Cases, SymptomProperty, ::testing::ValuesIn(cases_that(has_symptoms)), name_of_case);

}  // namespace
}  // namespace cutopsy::corpus
