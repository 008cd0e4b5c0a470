// Whether incidents are as right as they claim to be.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#include "tests/corpus/corpus_case.h"

namespace cutopsy::corpus {
namespace {

struct Bucket {
  double from;
  int right = 0;
  int wrong = 0;
};

TEST(Calibration, SureIncidentsAreRight) {
  const RuleIndex index(RuleSet::built_in());
  std::array<Bucket, 5> buckets = {{{0.9}, {0.8}, {0.6}, {0.4}, {0.0}}};
  for (const CorpusCase& corpus_case : all_cases()) {
    for (const Incident& incident : analyse(index, corpus_case, true).diagnosis.incidents) {
      if (incident.severity < Severity::error) continue;
      const bool right = incident.rule == corpus_case.cause ||
                         std::count(corpus_case.accept.begin(), corpus_case.accept.end(), incident.rule) > 0;
      auto bucket = std::find_if(buckets.begin(), buckets.end(),
                                 [&](const Bucket& candidate) { return incident.confidence >= candidate.from; });
      ++(right ? bucket->right : bucket->wrong);
      if (!right) {
        std::printf("wrong: %s at %.2f in %s\n", incident.rule.c_str(), incident.confidence, corpus_case.name.c_str());
      }
    }
  }
  std::printf("confidence from   right   wrong\n");
  for (const Bucket& bucket : buckets) std::printf("%15.2f %7d %7d\n", bucket.from, bucket.right, bucket.wrong);
  const int sure = buckets[0].right + buckets[0].wrong;
  ASSERT_GT(sure, 0);
  EXPECT_GE(buckets[0].right, 0.95 * sure);
}

}  // namespace
}  // namespace cutopsy::corpus
