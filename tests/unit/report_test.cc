// What a report shows of an incident, for people and as JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "engine/batch.h"
#include "engine/report/json_report.h"
#include "engine/report/report_document.h"
#include "engine/report/text_report.h"
#include "engine/rule/rule_set.h"
#include "engine/source/byte_source.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const RuleIndex& index() {
  static const RuleIndex built_in(RuleSet::built_in());
  return built_in;
}

Json document_of(const std::string& log) {
  Batch batch;
  const auto source = open_text(log);
  batch.cases.push_back(analyse(index(), "job.log", *source));
  return report_document(batch, index().rules());
}

std::string text_of(const std::string& log, bool why = false) {
  TextStyle style;
  style.why = why;
  return text_report(document_of(log), style);
}

std::string storm(int faults) {
  std::string log;
  for (int i = 0; i < faults; ++i) {
    log += "[ 74" + std::to_string(21 + i / 20) + ".118204] NVRM: Xid (PCI:0000:3b:00): 74, pid='<unknown>', " +
           "name=<unknown>, NVLink: fatal error detected on link 4(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)\n";
  }
  return log;
}

constexpr const char* kAssertThenAbort =
    "/pytorch/aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward_reduce_cuda_kernel_2d: block: [0,0,0], thread: "
    "[5,0,0] Assertion `t >= 0 && t < n_classes` failed.\n"
    "terminate called after throwing an instance of 'c10::Error'\n"
    "  what():  something that no rule knows\n"
    "Aborted (core dumped)\n";

TEST(Report, TellsTheRateOfAStorm) {
  EXPECT_THAT(text_of(storm(1204)), HasSubstr("1,204 times within 60 s"));
  const auto json = nlohmann::json::parse(json_report(document_of(storm(1204))));
  EXPECT_EQ(json["incidents"][0]["count"], 1204);
  EXPECT_EQ(json["incidents"][0]["repeats"]["within_seconds"], 60);
}

TEST(Report, TellsNoRateOfFewRepeats) {
  EXPECT_THAT(text_of(storm(9)), HasSubstr("9 times\n"));
  const auto json = nlohmann::json::parse(json_report(document_of(storm(9))));
  EXPECT_FALSE(json["incidents"][0].contains("repeats"));
}

TEST(Report, ShowsAConsequenceWithoutItsIndent) {
  EXPECT_THAT(text_of(kAssertThenAbort), HasSubstr("job.log:3 what():  something that no rule knows"));
}

TEST(Report, ShowsTheChainWithItsLinesWhenAsked) {
  EXPECT_THAT(text_of(kAssertThenAbort), Not(HasSubstr("How it came to this")));
  const std::string why = text_of(kAssertThenAbort, true);
  EXPECT_THAT(why, HasSubstr("job.log:1 assert/label-out-of-range: nothing in the log explains it"));
  EXPECT_THAT(why, HasSubstr("job.log:1 assert/label-out-of-range\n    led to job.log:3 cpp.exception"));
}

}  // namespace
}  // namespace cutopsy
