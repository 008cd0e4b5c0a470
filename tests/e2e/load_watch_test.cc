// What the observer sees while checks load simulated GPUs, from the command line down.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/e2e/simulated_machine.h"
#include "validators/nccl.h"

namespace cutopsy {
namespace {

using testing::HasSubstr;

const std::string kSmallGpu = "[gpu 0]\nmemory.total = 8 MiB\n";

// The answer of the last check named, which is the one asked for.
nlohmann::json answer_of(const std::string& scenario, const std::string& arguments) {
  const auto report = SimulatedMachine(scenario).check(arguments);
  return report["checks"].empty() ? nlohmann::json() : report["checks"].back();
}

std::string detail_of(const nlohmann::json& answer) {
  return answer.value("detail", "");
}

TEST(LoadWatch, CountsErrorsFromBeforeTheFirstLoadToAfterTheLast) {
  const auto answer = answer_of(kSmallGpu + "ecc.volatile.corrected.growth = 11\n", "ecc-under-load");
  EXPECT_EQ(answer["answer"], "yes") << answer;
  EXPECT_THAT(detail_of(answer), HasSubstr("volatile_corrected +11"));
}

TEST(LoadWatch, FindsNothingOnASoundGpu) {
  const auto answer = answer_of(kSmallGpu, "ecc-under-load");
  EXPECT_EQ(answer["answer"], "no") << answer;
}

TEST(LoadWatch, TakesACountThatGoesBackwardsForNoHealth) {
  const auto answer =
      answer_of(kSmallGpu + "ecc.volatile.corrected = 9\necc.volatile.corrected.growth = -9\n", "ecc-under-load");
  EXPECT_EQ(answer["answer"], "unknown") << answer;
}

TEST(LoadWatch, SaysWhyNoLoadRan) {
  const auto answer = answer_of(kSmallGpu + "processes = 1:1 MiB:python\n", "ecc-under-load");
  EXPECT_EQ(answer["answer"], "unknown");
  EXPECT_THAT(detail_of(answer), HasSubstr("no load ran: memory-pattern: GPU 0 is busy"));
}

TEST(LoadWatch, LooksAtClocksWhileALoadRuns) {
  const auto report = SimulatedMachine("[gpu 0]\nload.clocks.reasons = 0x40\n[gpu 1]\n").check("throttle-under-load");
  ASSERT_EQ(report["checks"].size(), 2U) << report;
  EXPECT_EQ(report["checks"][0]["answer"], "yes") << report;
  EXPECT_THAT(detail_of(report["checks"][0]), HasSubstr("because of heat"));
  EXPECT_NE(report["checks"][1]["answer"], "yes") << report;
}

TEST(LoadWatch, HearsAnXidThatComesAgain) {
  const std::string gpu = kSmallGpu + "xids = 48\n";
  EXPECT_EQ(answer_of(gpu, "xid-replay --with xid=48")["answer"], "yes");
  EXPECT_EQ(answer_of(gpu, "xid-replay --with xid=94")["answer"], "unknown");
}

TEST(LoadWatch, SaysThatAnXidDidNotComeAgain) {
  const auto answer = answer_of(kSmallGpu, "xid-replay --with xid=48");
  EXPECT_EQ(answer["answer"], "no") << answer;
  EXPECT_THAT(detail_of(answer), HasSubstr("Xid 48 did not come in"));
}

TEST(LoadWatch, ProvesNothingWhenTheObserverDies) {
  for (const char* check : {"throttle-under-load", "ecc-under-load"}) {
    const auto answer = answer_of("[gpu 0]\ncrash = nvmlDeviceGetClockInfo\n", check);
    EXPECT_EQ(answer["doubt"], "could-not-run") << answer;
    EXPECT_THAT(detail_of(answer), HasSubstr("NVML hung on this GPU")) << answer;
  }
}

TEST(LoadWatch, RunsALoadOnceForAllThatAskAboutIt) {
  const auto report =
      SimulatedMachine(kSmallGpu).check("memory-pattern ecc-under-load xid-replay --with xid=48 --with seed=3");
  ASSERT_EQ(report["checks"].size(), 3U);
  EXPECT_THAT(detail_of(report["checks"][2]), HasSubstr("s of load"));
  EXPECT_EQ(report["checks"][1]["answer"], "no");
}

const std::string kTwoGpus = "[gpu 0]\n[gpu 1]\n";
const std::string kWithoutNccl = "LD_LIBRARY_PATH=" CUTOPSY_FAKE_GPU_LIBRARIES;

nlohmann::json collective_on(const std::string& scenario, const std::string& options = "",
                             const std::string& environment = "") {
  const Outcome outcome =
      SimulatedMachine(scenario).run("check --format json collective-smoke --with bytes=65536 " + options, environment);
  return nlohmann::json::parse(outcome.out, nullptr, false)["checks"].back();
}

TEST(CollectiveSmoke, AddsUpOverTwoGpus) {
  const auto answer = collective_on(kTwoGpus);
  EXPECT_EQ(answer["answer"], "no") << answer;
  EXPECT_THAT(detail_of(answer), HasSubstr("over 2 GPUs"));
}

TEST(CollectiveSmoke, NamesTheGpuAndThePlaceOfAWrongSum) {
  const auto answer = collective_on("[gpu 0]\n[gpu 1]\nnccl.wrong = 0x1000:1\n");
  EXPECT_EQ(answer["answer"], "yes") << answer;
  EXPECT_THAT(detail_of(answer), HasSubstr("wrong sums to GPU 1: 1, the first at offset 0x1000"));
}

TEST(CollectiveSmoke, NamesTheGpuWhosePartIsMissing) {
  const auto answer = collective_on("[gpu 0]\n[gpu 1]\nnccl.silent = 1\n[gpu 2]\n");
  EXPECT_EQ(answer["answer"], "yes") << answer;
  EXPECT_THAT(detail_of(answer), HasSubstr("as if GPU 1 had given nothing"));
}

TEST(CollectiveSmoke, TakesNcclsErrorForAFaultButNotOurOwnMistake) {
  const auto fault = collective_on("nccl.ncclCommInitAll = 2\n" + kTwoGpus);
  EXPECT_EQ(fault["answer"], "yes") << fault;
  EXPECT_THAT(detail_of(fault), HasSubstr("ncclCommInitAll"));
  EXPECT_EQ(collective_on("nccl.ncclAllReduce = 5\n" + kTwoGpus)["answer"], "unknown");
}

TEST(CollectiveSmoke, EndsAWaitThatWouldNotEnd) {
  const auto answer = collective_on("cu.cuEventQuery = 600\n" + kTwoGpus, "--with patience=50");
  EXPECT_EQ(answer["answer"], "yes") << answer;
  EXPECT_THAT(detail_of(answer), HasSubstr("did not end on GPU 0 in 50 ms"));
}

TEST(CollectiveSmoke, DecidesNothingByAnNcclThatDoesNotFitTheDriver) {
  const auto answer = collective_on("nccl.ncclCommInitAll = 1\n" + kTwoGpus);
  EXPECT_EQ(answer["doubt"], "undecided") << answer;
}

TEST(CollectiveSmoke, IsNotAskedOfOneGpu) {
  EXPECT_EQ(collective_on("[gpu 0]\n")["doubt"], "not-applicable");
}

TEST(CollectiveSmoke, IsNotAskedWithoutNccl) {
  std::string why_not;
  if (Nccl::open("libnccl.so.2", &why_not)) GTEST_SKIP() << "this machine has NCCL";
  const auto without = collective_on(kTwoGpus, "", kWithoutNccl);
  EXPECT_EQ(without["doubt"], "not-applicable") << without;
}

// The functions' forms are ours: what holds a genuine library, if there is one, speaks for them.
TEST(Nccl, AnswersForItsVersion) {
  std::string why_not;
  const auto nccl = Nccl::open("libnccl.so.2", &why_not);
  if (!nccl) GTEST_SKIP() << "this machine has no NCCL: " << why_not;
  int version = 0;
  EXPECT_TRUE(nccl->GetVersion(&version).ok());
  EXPECT_GT(version, 2000);
}

TEST(Nccl, SaysWhyItCannotBeOpened) {
  std::string why_not;
  EXPECT_EQ(Nccl::open("/no/such/libnccl.so.2", &why_not), nullptr);
  EXPECT_THAT(why_not, HasSubstr("/no/such/libnccl.so.2"));
}

}  // namespace
}  // namespace cutopsy
