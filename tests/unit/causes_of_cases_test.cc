// Small cases of the built-in rules in which what connects two findings decides: the GPU, the order, the end of the
// job.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/pipeline.h"
#include "engine/rule/rule_set.h"
#include "engine/source/byte_source.h"

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

Diagnosis diagnose(const std::vector<std::string>& logs) {
  static const RuleIndex index(RuleSet::built_in());
  Case job(index);
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const auto source = open_text(logs[i]);
    job.add(read_input(index, std::to_string(i) + ".log", *source));
  }
  return job.finish().diagnosis;
}

std::vector<std::string> failures(const Diagnosis& diagnosis) {
  std::vector<std::string> rules;
  for (const Incident& incident : diagnosis.incidents) {
    if (incident.severity >= Severity::error) rules.push_back(incident.rule);
  }
  return rules;
}

constexpr const char* kPlacedRanks =
    "node1:4240:4310 [0] NCCL INFO comm 0x55d0c0205c54 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 18000 commId "
    "0x6f2c1d3a - Init START\n"
    "node1:4241:4311 [1] NCCL INFO comm 0x55d0c0205c58 rank 1 nranks 2 cudaDev 1 nvmlDev 1 busId 3b000 commId "
    "0x6f2c1d3a - Init START\n";

std::string crash_of(const std::string& rank) {
  const std::string label = "[rank" + rank + "]: ";
  return label + "Traceback (most recent call last):\n" + label + "  File \"train.py\", line 10, in <module>\n" +
         label + "    loss.backward()\n" + label +
         "RuntimeError: CUDA error: an illegal memory access was encountered\n";
}

constexpr const char* kFault =
    "[ 7421.118204] NVRM: Xid (PCI:0000:3b:00): 48, pid='<unknown>', name=<unknown>, DBE (double bit error) ECC Error "
    "detected.\n";

TEST(CausesOfCases, AGpusFaultLeadsToTheErrorOfTheRankThatRunsOnIt) {
  const Diagnosis diagnosis = diagnose({kPlacedRanks + crash_of("1"), kFault});
  ASSERT_THAT(failures(diagnosis), ElementsAre("driver/xid-48"));
  EXPECT_THAT(diagnosis.incidents[0].ranks, ElementsAre("1"));
}

TEST(CausesOfCases, AGpusFaultDoesNotLeadToTheErrorOfARankOnAnother) {
  EXPECT_THAT(failures(diagnose({kPlacedRanks + crash_of("0"), kFault})),
              UnorderedElementsAre("driver/xid-48", "cuda/illegal-memory-access"));
}

TEST(CausesOfCases, AGpusFaultLeadsToTheErrorOfARankWhoseGpuIsUnknown) {
  EXPECT_THAT(failures(diagnose({crash_of("0"), kFault})), ElementsAre("driver/xid-48"));
}

TEST(CausesOfCases, AWarningThatNoGpuCanBeUsedLeadsToTheExceptionAboutIt) {
  const std::string warning =
      "/venv/torch/cuda/__init__.py:128: UserWarning: CUDA initialization: The NVIDIA driver on your system is too old "
      "(found version 11040). Please update your GPU driver (Triggered internally at "
      "../c10/cuda/CUDAFunctions.cpp:108.)\n"
      "  return torch._C._cuda_getDeviceCount() > 0\n";
  const std::string trace = "Traceback (most recent call last):\n  File \"train.py\", line 20, in main\n    check()\n";
  EXPECT_THAT(failures(diagnose({warning + trace + "SystemExit: this script needs a GPU\n"})),
              ElementsAre("pytorch/driver-too-old"));
  EXPECT_THAT(failures(diagnose({warning + trace + "KeyError: 'lr'\n"})), ElementsAre("other/python-exception"));
}

TEST(CausesOfCases, ANodeWithoutSwitchesNeedsNoFabricManager) {
  const std::string manager =
      "nv-fabricmanager[812]: request to query NVSwitch device information from NVSwitch driver failed with "
      "error:WARNING Nothing to do [NV_WARN_NOTHING_TO_DO]\n";
  const std::string oom =
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB "
      "of which 1.20 GiB is free. Of the allocated memory 76.00 GiB is allocated by PyTorch, and 1.20 GiB is reserved "
      "by "
      "PyTorch but unallocated.\n";
  EXPECT_THAT(failures(diagnose({manager + oom})), ElementsAre("memory/gpu-oom"));
  const std::string refused =
      "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet "
      "initialized\n";
  EXPECT_THAT(failures(diagnose({manager + refused})), ElementsAre("driver/fabric-manager-failed"));
}

TEST(CausesOfCases, ALostPeerAfterTrainingIsNoFailure) {
  const Diagnosis diagnosis =
      diagnose({"{'train_runtime': 1234.5, 'train_samples_per_second': 8.1, 'train_loss': 1.2, 'epoch': 3.0}\n"
                "node1:4242:4310 [0] misc/socket.cc:49 NCCL WARN socketProgress: Connection closed by remote peer "
                "node2<41000>\n"});
  EXPECT_EQ(diagnosis.outcome, Outcome::warning);
}

TEST(CausesOfCases, AStormIsMeasured) {
  std::string log;
  for (int i = 0; i < 1204; ++i) {
    log += "[ 74" + std::to_string(21 + i / 20) + ".118204] NVRM: Xid (PCI:0000:3b:00): 74, pid='<unknown>', " +
           "name=<unknown>, NVLink: fatal error detected on link 4(0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0)\n";
  }
  const Diagnosis diagnosis = diagnose({log});
  ASSERT_THAT(failures(diagnosis), ElementsAre("driver/xid-74"));
  EXPECT_EQ(diagnosis.incidents[0].count, 1204u);
  EXPECT_EQ(diagnosis.incidents[0].repeats_lasted, 60);
}

}  // namespace
}  // namespace cutopsy
