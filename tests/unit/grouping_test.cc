#include "engine/explain/grouping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace cutopsy {
namespace {

using ::testing::ElementsAre;

// Inputs to group; deques, so that the references to them stay good.
class Inputs {
 public:
  InputIdentity& add(const std::string& name, std::size_t folder) {
    findings_.emplace_back();
    identities_.emplace_back();
    grouped_.push_back({name, folder, &identities_.back(), {}});
    return identities_.back();
  }

  // A finding of the last input.
  void finding(double seconds, const std::string& pid = "") {
    Finding found;
    found.envelope.seconds = seconds;
    found.fields.set("pid", pid);
    findings_.back().push_back(found);
    grouped_.back().findings = findings_.back();
  }

  // The inputs of each case, by index.
  std::vector<std::vector<std::size_t>> cases(Grouping grouping = Grouping::automatic) const {
    std::vector<std::vector<std::size_t>> cases;
    for (const auto& inputs : group_inputs(grouped_, grouping)) {
      cases.emplace_back();
      for (const CaseInput& input : inputs) cases.back().push_back(input.input);
    }
    return cases;
  }
  std::vector<std::vector<CaseInput>> groups() const { return group_inputs(grouped_, Grouping::automatic); }

 private:
  std::deque<std::vector<Finding>> findings_;
  std::deque<InputIdentity> identities_;
  std::vector<GroupedInput> grouped_;
};

TEST(Grouping, TakesNamedInputsForOneCase) {
  Inputs inputs;
  inputs.add("train.log", 0);
  inputs.add("kern.log", 0).kernel_log = true;
  EXPECT_THAT(inputs.cases(), ElementsAre(ElementsAre(0, 1)));
  EXPECT_THAT(inputs.cases(Grouping::separate), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

TEST(Grouping, KeepsFilesOfAFolderApart) {
  Inputs inputs;
  inputs.add("runs/a.log", 1);
  inputs.add("runs/b.log", 1);
  EXPECT_THAT(inputs.cases(), ElementsAre(ElementsAre(0), ElementsAre(1)));
  EXPECT_THAT(inputs.cases(Grouping::together), ElementsAre(ElementsAre(0, 1)));
}

TEST(Grouping, JoinsFilesThatShareAProcess) {
  Inputs inputs;
  inputs.add("runs/a.log", 1).pids = {"48213"};
  inputs.add("runs/b.log", 1).pids = {"999"};
  inputs.add("runs/c.log", 1).pids = {"7", "48213"};
  EXPECT_THAT(inputs.cases(), ElementsAre(ElementsAre(0, 2), ElementsAre(1)));
}

TEST(Grouping, DoesNotTakeTheProcessIdsOfContainersForShared) {
  Inputs inputs;
  inputs.add("runs/a.log", 1).pids = {"7"};
  inputs.add("runs/b.log", 1).pids = {"7"};
  EXPECT_THAT(inputs.cases(), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

TEST(Grouping, KeepsEqualProcessIdsOfOtherHostsOrTimesApart) {
  Inputs inputs;
  InputIdentity& a = inputs.add("runs/a.log", 1);
  a.pids = {"48213"};
  a.hosts = {"node1"};
  InputIdentity& b = inputs.add("runs/b.log", 1);
  b.pids = {"48213"};
  b.hosts = {"node2"};
  EXPECT_THAT(inputs.cases(), ElementsAre(ElementsAre(0), ElementsAre(1)));
}

TEST(Grouping, JoinsOneHostAtOneTime) {
  Inputs inputs;
  for (auto [first, last] : {std::pair(100.0, 200.0), {150.0, 160.0}, {190.0, 300.0}, {400.0, 500.0}}) {
    InputIdentity& identity = inputs.add("runs/x", 1);
    identity.hosts = {"node1"};
    identity.first_seconds = first;
    identity.last_seconds = last;
  }
  EXPECT_THAT(inputs.cases(), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3)));
}

TEST(Grouping, JoinsTheRanksAndStreamsOfAJobByTheirNames) {
  Inputs inputs;
  for (const char* name : {"runs/a/rank_0.log", "runs/a/rank_1.log", "runs/b/rank_0.log", "runs/job-77.out",
                           "runs/job-77.err", "runs/job-78.err"}) {
    inputs.add(name, 1);
  }
  EXPECT_THAT(inputs.cases(), ElementsAre(ElementsAre(0, 1), ElementsAre(2), ElementsAre(3, 4), ElementsAre(5)));
}

struct NamedJob {
  const char* path;
  const char* job;
};
class JobNames : public ::testing::TestWithParam<NamedJob> {};
TEST_P(JobNames, MaskRanksAndStreams) {
  EXPECT_EQ(job_name_of(GetParam().path), GetParam().job);
}
INSTANTIATE_TEST_SUITE_P(
    Table, JobNames,
    ::testing::Values(NamedJob{"out/rank_3.log", "out/rank_*.log"},
                      NamedJob{"log/none_abc/attempt_0/3/stderr.log", "log/none_abc/attempt_0/*/*"},
                      NamedJob{"trainer-node2.txt", "trainer-node*.txt"}, NamedJob{"slurm-77.out", "slurm-77.*"},
                      NamedJob{"slurm-77.err", "slurm-77.*"}, NamedJob{"job_17.log", ""}, NamedJob{"layout.log", ""}));

TEST(RankOfName, IsTheOneThatTheNameTells) {
  for (const char* path : {"out/rank_3.log", "rank3.log", "logs/RANK-03-stderr.txt", "run7/rank.3", "rank=3/err.log"}) {
    EXPECT_EQ(rank_of_name(path), "3") << path;
  }
  for (const char* path : {"rank0-3_node7.err", "node3.log", "frank3.log", "rank_3/old/err.log", "rank.log"}) {
    EXPECT_EQ(rank_of_name(path), "") << path;
  }
}

class KernelLog : public ::testing::Test {
 protected:
  KernelLog() {
    InputIdentity& first = inputs_.add("runs/a.log", 1);
    first.first_seconds = 1000;
    first.last_seconds = 2000;
    first.pids = {"48213"};
    InputIdentity& second = inputs_.add("runs/b.log", 1);
    second.first_seconds = 5000;
    second.last_seconds = 6000;
    second.hosts = {"node2"};
    InputIdentity& kernel = inputs_.add("runs/kern.log", 1);
    kernel.kernel_log = true;
    kernel.hosts = {"node1"};
  }
  Inputs inputs_;
};

TEST_F(KernelLog, GoesToTheJobThatRanThen) {
  inputs_.finding(1500);
  EXPECT_THAT(inputs_.cases(), ElementsAre(ElementsAre(0, 2), ElementsAre(1)));
}

TEST_F(KernelLog, GoesToTheJobOfTheProcessAtAnyTime) {
  inputs_.finding(0, "48213");
  EXPECT_THAT(inputs_.cases(), ElementsAre(ElementsAre(0, 2), ElementsAre(1)));
}

TEST_F(KernelLog, IsACaseOfItsOwnForWhatFitsNoJob) {
  inputs_.finding(1500);
  inputs_.finding(9000);
  inputs_.finding(5500);  // in the time of b.log, which names another host
  ASSERT_THAT(inputs_.cases(), ElementsAre(ElementsAre(0, 2), ElementsAre(1), ElementsAre(2)));
  EXPECT_THAT(inputs_.groups()[0][1].findings, ElementsAre(0));
  EXPECT_THAT(inputs_.groups()[2][0].findings, ElementsAre(1, 2));
}

TEST_F(KernelLog, IsACaseOfItsOwnWhenItTellsOfNothing) {
  EXPECT_THAT(inputs_.cases(), ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2)));
}

// A thousand jobs with all faults of their machine each would be a million findings.
TEST_F(KernelLog, GivesAJobItsFirstFaultsOnlyAndLosesNone) {
  for (std::size_t i = 0; i < kMostSharedOut + 5; ++i) inputs_.finding(1500);
  const auto groups = inputs_.groups();
  std::size_t kept = 0;
  for (const auto& group : groups) {
    for (const CaseInput& part : group) {
      if (part.input != 2) continue;
      EXPECT_LE(part.findings.size(), kMostSharedOut);
      kept += part.findings.size();
    }
  }
  EXPECT_EQ(kept, kMostSharedOut + 5);
}

TEST(InputIdentity, ComesFromTheEndsOfALogAndFromItsFindings) {
  IdentityBuilder builder;
  builder.sample("2026-11-30T10:00:00+0000 node1 kernel: a\nplain\n", false);
  builder.sample("2026-11-30T11:00:00+0000 node1 kernel: z\n", true);
  Finding finding;
  finding.fields.set("pid", "48213");
  finding.ranks = {"3"};
  InputIdentity identity = builder.finish({&finding, 1}, {});
  EXPECT_THAT(identity.hosts, ElementsAre("node1"));
  EXPECT_THAT(identity.pids, ElementsAre("48213"));
  EXPECT_THAT(identity.ranks, ElementsAre("3"));
  EXPECT_EQ(identity.last_seconds - identity.first_seconds, 3600);
  EXPECT_TRUE(identity.kernel_log);
}

TEST(InputIdentity, IsNoKernelLogsWhenAJobQuotesTheKernel) {
  IdentityBuilder builder;
  builder.sample("step 1\nstep 2\n[ 7421.118204] NVRM: Xid (PCI:0000:18:00): 79, GPU has fallen off the bus.\n", false);
  const InputIdentity identity = builder.finish({}, {});
  EXPECT_FALSE(identity.kernel_log);
  EXPECT_TRUE(identity.kernel_clock);
}

TEST(InputIdentity, HasTheJobsClockWhenTheJobDatesItsLines) {
  IdentityBuilder builder;
  builder.sample("2026-11-30 10:00:00 step 1\n2026-11-30 10:00:01 step 2\nnode1 kernel: NVRM: loading\n", false);
  EXPECT_FALSE(builder.finish({}, {}).kernel_clock);
}

TEST(InputIdentity, OfAnEmptyInputIsEmpty) {
  for (const char* lines : {"", "\n", "\n\n"}) {
    IdentityBuilder builder;
    builder.sample(lines, true);
    EXPECT_TRUE(builder.finish({}, {}).hosts.empty()) << lines;
  }
}

TEST(InputIdentity, SamplesOnlySoManyLines) {
  std::string lines;
  for (std::size_t i = 0; i <= IdentityBuilder::kSampledLines; ++i) lines += "[rank" + std::to_string(i) + "]: x\n";
  IdentityBuilder begin;
  begin.sample(lines, false);
  EXPECT_EQ(begin.finish({}, {}).ranks.size(), IdentityBuilder::kSampledLines);
  IdentityBuilder end;
  end.sample(lines, true);
  EXPECT_EQ(end.finish({}, {}).ranks.count("0"), 0u);
}

}  // namespace
}  // namespace cutopsy
