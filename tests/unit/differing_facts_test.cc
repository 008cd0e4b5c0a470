#include "engine/report/differing_facts.h"

#include <gtest/gtest.h>

#include <string>

namespace cutopsy {
namespace {

Fact fact(std::string_view name, std::string value, std::string host, std::string rank = "", std::string gpu = "") {
  Fact fact;
  fact.name = name;
  fact.value = std::move(value);
  fact.envelope.host = std::move(host);
  fact.envelope.rank = std::move(rank);
  fact.gpu = std::move(gpu);
  return fact;
}

TEST(DifferingFacts, NamesTheHostsOfEachValue) {
  const std::vector<Fact> facts = {
      fact("driver_version", "570.124.06", "node1"), fact("driver_version", "560.35.03", "node2"),
      fact("driver_version", "570.124.06", "node3"), fact("nccl_version", "2.21.5", "node1"),
      fact("nccl_version", "2.21.5", "node2"),
  };
  const auto found = differing_facts(facts);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "driver_version");
  ASSERT_EQ(found[0].values.size(), 2u);
  EXPECT_EQ(found[0].values[0].text, "570.124.06");
  EXPECT_EQ(found[0].values[0].hosts, (std::vector<std::string>{"node1", "node3"}));
  EXPECT_EQ(found[0].values[1].hosts, (std::vector<std::string>{"node2"}));
  EXPECT_TRUE(divides_the_job(found[0]));
}

TEST(DifferingFacts, SpellingsOfOneVersionDoNotDiffer) {
  const std::vector<Fact> facts = {
      fact("torch_version", "2.1.0", "node1"),      fact("torch_version", "2.1.0+cu118", "node2"),
      fact("driver_version", "525.125.6", "node1"), fact("driver_version", "525.125.06", "node2"),
      fact("cudnn_version", "8.9.2", "node1"),      fact("cudnn_version", "8.9.2.26", "node2"),
  };
  EXPECT_TRUE(differing_facts(facts).empty());
}

TEST(DifferingFacts, BlanksDoNotCount) {
  EXPECT_TRUE(
      differing_facts(std::vector<Fact>{fact("gpu_memory", "81559MiB", ""), fact("gpu_memory", "81559 MiB", "")})
          .empty());
  EXPECT_EQ(differing_facts(std::vector<Fact>{fact("os", "Ubuntu 2", ""), fact("os", "Ubuntu 22", "")}).size(), 1u);
}

TEST(DifferingFacts, BuildsOfOneVersionDiffer) {
  const std::vector<Fact> facts = {fact("torch_version", "2.1.0+cu121", "node1"),
                                   fact("torch_version", "2.1.0+cu118", "node2")};
  EXPECT_EQ(differing_facts(facts).size(), 1u);
}

TEST(DifferingFacts, DoNotDivideTheJobWithinOneHostOrByNature) {
  const std::vector<Fact> facts = {
      fact("cuda_version", "12.4", "node1"),       fact("cuda_version", "11.8", "node1"),
      fact("gpu_uuid", "GPU-1", "node1", "", "0"), fact("gpu_uuid", "GPU-2", "node2", "", "0"),
      fact("python_version", "3.10.12", "", ""),   fact("python_version", "3.11.9", "", ""),
  };
  const auto found = differing_facts(facts);
  ASSERT_EQ(found.size(), 3u);
  for (const DifferingFact& differing : found) EXPECT_FALSE(divides_the_job(differing)) << differing.name;
  EXPECT_EQ(found[1].values[1].gpus, (std::vector<std::string>{"0"}));
}

TEST(DifferingFacts, RanksDivideAJobToo) {
  const std::vector<Fact> facts = {fact("nccl_version", "2.21.5", "", "0"), fact("nccl_version", "2.20.5", "", "1")};
  ASSERT_EQ(differing_facts(facts).size(), 1u);
  EXPECT_TRUE(divides_the_job(differing_facts(facts)[0]));
}

TEST(DifferingFacts, AreBounded) {
  std::vector<Fact> facts;
  for (int i = 0; i < 1000; ++i) facts.push_back(fact("gpu_uuid", "GPU-" + std::to_string(i), "node"));
  EXPECT_EQ(differing_facts(facts)[0].values.size(), kMaxDifferingValues);
}

}  // namespace
}  // namespace cutopsy
