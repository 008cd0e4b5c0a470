// `cutopsy explain ...` as people who met a code or a message use it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "parsers/status_table.h"
#include "tests/e2e/command.h"

namespace cutopsy {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

Outcome explain(const std::string& arguments) {
  return run_cutopsy("explain " + arguments);
}

std::vector<std::string> rules_for(const std::string& arguments) {
  const auto json = nlohmann::json::parse(explain("--format json " + arguments).out);
  std::vector<std::string> ids;
  for (const auto& subject : json["subjects"])
    for (const auto& rule : subject["rules"]) ids.push_back(rule["id"]);
  return ids;
}

TEST(Explain, ReadsANumberAsAStatusOfCuda) {
  const Outcome result = explain("710");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, StartsWith("CUDA runtime status: cudaErrorAssert (\"device-side assert triggered\")\n"));
  EXPECT_THAT(result.out, HasSubstr("\n  assert/device-assert-unspecified\n"));
  EXPECT_THAT(result.out, HasSubstr("\nWhat to do\n  1. "));
}

TEST(Explain, NamesTheOtherMeaningsOfANumber) {
  const Outcome result = explain("46");
  EXPECT_THAT(result.out, StartsWith("CUDA runtime status: cudaErrorDevicesUnavailable"));
  EXPECT_THAT(result.out, HasSubstr("It may also mean\n"));
  EXPECT_THAT(result.out, HasSubstr("cutopsy explain Xid 46\n"));
}

TEST(Explain, AWordBeforeANumberSaysWhatItIs) {
  EXPECT_THAT(rules_for("xid 79"), testing::ElementsAre("driver/xid-79"));
  EXPECT_THAT(rules_for("'Xid: 79'"), testing::ElementsAre("driver/xid-79"));
  EXPECT_THAT(rules_for("sxid 20034"), testing::ElementsAre("driver/sxid-20034"));
  EXPECT_THAT(rules_for("cuda error 700"), testing::ElementsAre("cuda/illegal-memory-access"));
  EXPECT_THAT(rules_for("exit code 137"), testing::ElementsAre("memory/host-oom-killed"));
}

TEST(Explain, ReadsNamesWhateverTheirCase) {
  EXPECT_THAT(rules_for("cublas_status_alloc_failed"), testing::ElementsAre("library/cublas-alloc-failed"));
}

TEST(Explain, ReadsWhatALibraryPrints) {
  EXPECT_THAT(rules_for("an illegal memory access was encountered"),
              testing::ElementsAre("cuda/illegal-memory-access"));
}

TEST(Explain, ReadsAnExceptionsClass) {
  EXPECT_EQ(rules_for("torch.OutOfMemoryError").front(), "memory/gpu-oom");
}

TEST(Explain, FillsInWhatAPastedMessageTells) {
  const Outcome result = explain(
      "'RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total "
      "capacity; 21.00 GiB already allocated; 1.20 GiB free; 21.50 GiB reserved in total by PyTorch)'");
  EXPECT_THAT(result.out, HasSubstr("memory/gpu-oom"));
  EXPECT_THAT(result.out, HasSubstr("2.00 GiB"));
}

TEST(Explain, ShowsTheNameOfWhatOnlyALogCanTell) {
  const Outcome result = explain("memory/gpu-oom");
  EXPECT_THAT(result.out, HasSubstr("<"));
  EXPECT_THAT(result.out, Not(HasSubstr("{")));
}

TEST(Explain, ListsTheRulesOfAGlob) {
  const Outcome result = explain("'assert/*'");
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("assert/label-out-of-range  "));
}

TEST(Explain, FindsRulesByWordsOfTheirTitles) {
  EXPECT_THAT(rules_for("fallen off the bus"), testing::Contains("driver/xid-79"));
}

TEST(Explain, ReadsAMessageOfARuleOfOnesOwn) {
  const TemporaryFolder folder;
  const std::string mine = folder.write("mine.yaml",
                                        "- id: mine/shards\n"
                                        "  title: The shards differ\n"
                                        "  match: { event: python.exception, where: { message: 'shards differ' } }\n"
                                        "  cause: C\n"
                                        "  fix: [{ do: D }]\n");
  const std::string with = "--rules " + mine;
  EXPECT_THAT(explain(with + " 'ValueError: shards differ'").out, HasSubstr("mine/shards"));
  EXPECT_THAT(explain(with + " 'data.ShardMismatch: shards differ'").out, HasSubstr("mine/shards"));
  EXPECT_THAT(explain(with + " 'shards differ'").out, HasSubstr("mine/shards"));
}

TEST(Explain, CutsAQuestionThatIsNotKnown) {
  EXPECT_LT(run_cutopsy("explain", std::string(100'000, 'q')).err.size(), 300U);
}

TEST(Explain, SuggestsTheNearestNameForATypo) {
  const Outcome result = explain("cudaErorAssert");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, HasSubstr("near it: cudaErrorAssert"));
}

TEST(Explain, SaysWhatToWriteWhenTheQuestionIsNoArgument) {
  const Outcome result = explain("--version 3");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("see cutopsy explain --help"));
}

TEST(Explain, ReadsTheQuestionFromStandardInput) {
  EXPECT_THAT(run_cutopsy("explain", "device-side assert triggered\n").out,
              HasSubstr("assert/device-assert-unspecified"));
}

TEST(Explain, KnowsEveryStatusOfTheTable) {
  for (const Status& status : status_table()) {
    if (status.code == 0) continue;
    EXPECT_EQ(explain(std::string(status.name)).status, 0) << status.name;
  }
}

}  // namespace
}  // namespace cutopsy
