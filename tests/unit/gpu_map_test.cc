#include "engine/explain/gpu_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kFirst = "0000:18:00.0";
constexpr const char* kSecond = "0000:3b:00.0";

Fact fact(std::string_view name, std::string value, std::string index = "", std::string pid = "",
          std::string host = "") {
  Fact fact{name, std::move(value), {}, {0, 1}, std::move(index)};
  fact.envelope.pid = std::move(pid);
  fact.envelope.host = std::move(host);
  return fact;
}

Finding of_rank(std::string rank, std::string host = "") {
  Finding finding;
  finding.envelope.rank = std::move(rank);
  finding.envelope.host = std::move(host);
  return finding;
}

Finding of_index(std::string index, std::string pid = "") {
  Finding finding;
  finding.fields.set("gpu", index);
  finding.envelope.pid = std::move(pid);
  return finding;
}

std::string pci_of(const GpuMap& map, const Finding& finding) {
  const auto gpu = map.gpu_of(finding);
  return gpu ? gpu->pci : "";
}

TEST(GpuMap, KnowsARanksGpuByTheLargestCommunicator) {
  const std::vector<Fact> facts = {fact("comm_gpu", "1 of 2 at 0000:3b:00.0"),
                                   fact("comm_gpu", "1 of 8 at 0000:18:00.0"),
                                   fact("comm_gpu", "1 of 4 at 0000:86:00.0")};
  EXPECT_EQ(pci_of(GpuMap(facts), of_rank("1")), kFirst);
  EXPECT_EQ(pci_of(GpuMap(facts), of_rank("2")), "");
}

TEST(GpuMap, DoesNotKnowTheGpuOfARankThatEqualGroupsPlaceDifferently) {
  const std::vector<Fact> facts = {fact("comm_gpu", "1 of 2 at 0000:3b:00.0"),
                                   fact("comm_gpu", "1 of 2 at 0000:18:00.0")};
  EXPECT_EQ(pci_of(GpuMap(facts), of_rank("1")), "");
}

TEST(GpuMap, ALinesOwnRankGoesBeforeThatOfACommunicator) {
  Fact labelled = fact("gpu_pci", kSecond, "1");
  labelled.envelope.rank = "5";
  Fact member = fact("comm_gpu", "1 of 2 at 0000:3b:00.0");
  member.envelope.rank = "5";
  const GpuMap map(std::vector<Fact>{labelled, member});
  EXPECT_EQ(pci_of(map, of_rank("5")), kSecond);
  EXPECT_EQ(pci_of(map, of_rank("1")), "");
}

TEST(GpuMap, KnowsAProcesssGpu) {
  const std::vector<Fact> facts = {fact("gpu_pci", kFirst, "0", "4242"), fact("gpu_pci", kSecond, "0", "4243")};
  Finding finding;
  finding.envelope.pid = "4243";
  EXPECT_EQ(pci_of(GpuMap(facts), finding), kSecond);
  EXPECT_EQ(pci_of(GpuMap(facts), of_index("0", "4242")), kFirst);
}

TEST(GpuMap, AProcessWithSeveralGpusNeedsTheIndex) {
  const std::vector<Fact> facts = {fact("gpu_pci", kFirst, "0", "4242"), fact("gpu_pci", kSecond, "1", "4242")};
  Finding finding;
  finding.envelope.pid = "4242";
  EXPECT_EQ(pci_of(GpuMap(facts), finding), "");
  EXPECT_EQ(pci_of(GpuMap(facts), of_index("1", "4242")), kSecond);
}

// Each process has its own CUDA_VISIBLE_DEVICES, and with it its own device 0.
TEST(GpuMap, AnIndexThatProcessesUseForDifferentGpusTellsNothing) {
  const std::vector<Fact> facts = {fact("gpu_pci", kFirst, "0", "4242"), fact("gpu_pci", kSecond, "0", "4243"),
                                   fact("gpu_pci", kSecond, "1", "4242")};
  EXPECT_EQ(pci_of(GpuMap(facts), of_index("0")), "");
  EXPECT_EQ(pci_of(GpuMap(facts), of_index("1")), kSecond);
}

TEST(GpuMap, AnIndexOfAnotherInputTellsNothing) {
  Fact elsewhere = fact("gpu_pci", kFirst, "0");
  elsewhere.where.input = 1;
  EXPECT_EQ(pci_of(GpuMap(std::vector<Fact>{elsewhere}), of_index("0")), "");
}

TEST(GpuMap, TheIndexOfNvidiaSmiIsNotCudas) {
  const GpuMap map(std::vector<Fact>{fact("smi_gpu_pci", kFirst, "3")});
  EXPECT_EQ(pci_of(map, of_index("3")), "");
  EXPECT_EQ(map.smi_index_of({"", kFirst}), "3");
}

TEST(GpuMap, TheSameAddressOnAnotherHostIsAnotherGpu) {
  const std::vector<Fact> facts = {fact("gpu_pci", kFirst, "0", "7", "node1"),
                                   fact("gpu_pci", kFirst, "0", "8", "node2"),
                                   fact("comm_gpu", "0 of 2 at 0000:18:00.0", "0", "7", "node1"),
                                   fact("comm_gpu", "1 of 2 at 0000:18:00.0", "0", "8", "node2")};
  const GpuMap map(facts);
  Finding fault = of_rank("", "node2.cluster.local");
  fault.fields.set("gpu_pci", kFirst);
  EXPECT_TRUE(may_be_same(map.gpu_of(fault), map.gpu_of(of_rank("1"))));
  EXPECT_FALSE(may_be_same(map.gpu_of(fault), map.gpu_of(of_rank("0"))));
  EXPECT_THAT(map.ranks_on(*map.gpu_of(fault)), ElementsAre("1"));
}

// A container has a name of its own, so that its lines and its machine's kernel name different hosts.
TEST(GpuMap, AHostThatTheJobDoesNotNameMayBeAnyOfIts) {
  const std::vector<Fact> facts = {fact("gpu_pci", kFirst, "0", "7", "pod-0"),
                                   fact("comm_gpu", "0 of 2 at 0000:18:00.0", "0", "7", "pod-0")};
  const GpuMap map(facts);
  Finding fault = of_rank("", "gpu-node7");
  fault.fields.set("gpu_pci", kFirst);
  EXPECT_TRUE(may_be_same(map.gpu_of(fault), map.gpu_of(of_rank("0"))));
  EXPECT_THAT(map.ranks_on(*map.gpu_of(fault)), ElementsAre("0"));
}

TEST(GpuMap, NamesNoRanksWhereSeveralHostsHaveTheAddress) {
  const std::vector<Fact> facts = {fact("comm_gpu", "0 of 2 at 0000:18:00.0", "0", "7", "pod-0"),
                                   fact("comm_gpu", "1 of 2 at 0000:18:00.0", "0", "8", "pod-1")};
  EXPECT_THAT(GpuMap(facts).ranks_on({"", kFirst}), IsEmpty());
}

TEST(GpuMap, AnUnknownGpuMayBeAny) {
  EXPECT_TRUE(may_be_same(std::nullopt, GpuAddress{"", kFirst}));
  EXPECT_FALSE(may_be_same(GpuAddress{"", kSecond}, GpuAddress{"", kFirst}));
}

}  // namespace
}  // namespace cutopsy
