#include "engine/explain/version_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cutopsy {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

Fact fact(std::string_view name, std::string value, std::string host, std::uint32_t input = 0) {
  Fact fact;
  fact.name = name;
  fact.value = std::move(value);
  fact.envelope.host = std::move(host);
  fact.where = {input, 1};
  return fact;
}

const std::vector<std::string> kInputs = {"a.log", "b.log"};

TEST(VersionComparison, NamesBothHosts) {
  const std::vector<Fact> facts = {fact("nccl_version", "2.18.1", "node1"), fact("nccl_version", "2.20.5", "node2")};
  const auto conflicts = compare_versions(facts, kInputs);
  ASSERT_THAT(conflicts, SizeIs(1));
  EXPECT_EQ(conflicts[0].fields.get("what"), "nccl");
  EXPECT_EQ(conflicts[0].fields.get("on"), "node2");
  EXPECT_EQ(conflicts[0].fields.get("version"), "2.20.5");
  EXPECT_EQ(conflicts[0].fields.get("other_on"), "node1");
}

TEST(VersionComparison, TakesALogWithoutAHostForOneMachine) {
  const std::vector<Fact> facts = {fact("nccl_version", "2.18.1", ""), fact("nccl_version", "2.20.5", "", 1)};
  EXPECT_THAT(compare_versions(facts, kInputs), SizeIs(1));
  const std::vector<Fact> one_log = {fact("nccl_version", "2.18.1", ""), fact("nccl_version", "2.20.5", "")};
  EXPECT_THAT(compare_versions(one_log, kInputs), IsEmpty());
}

TEST(VersionComparison, TakesOtherSpellingsForTheSame) {
  const std::vector<Fact> facts = {fact("driver_version", "525.125.06", "node1"),
                                   fact("driver_version", "525.125.6", "node2")};
  EXPECT_THAT(compare_versions(facts, kInputs), IsEmpty());
}

}  // namespace
}  // namespace cutopsy
