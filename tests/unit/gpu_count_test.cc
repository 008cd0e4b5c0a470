#include "engine/match/gpu_count.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace cutopsy {
namespace {

Fact gpu(std::string host, std::string index) {
  Fact fact;
  fact.name = "gpu_name";
  fact.value = "NVIDIA A40";
  fact.envelope.host = std::move(host);
  fact.gpu = std::move(index);
  return fact;
}

TEST(GpuCount, CountsTheListedGpusOfEachHost) {
  std::vector<Fact> facts = {gpu("node1", "0"), gpu("node1", "1"), gpu("node1", "1"),
                             gpu("node2", "1"), gpu("node2", "0"), gpu("node2", "2")};
  add_gpu_count(facts);
  ASSERT_EQ(facts.size(), 8u);
  EXPECT_EQ(facts[6].name, "gpu_count");
  EXPECT_EQ(facts[6].envelope.host, "node1");
  EXPECT_EQ(facts[6].value, "2");
  EXPECT_EQ(facts[6].gpu, "");
  EXPECT_EQ(facts[7].envelope.host, "node2");
  EXPECT_EQ(facts[7].value, "3");
}

TEST(GpuCount, ListsThatMayBeIncompleteGiveNone) {
  std::vector<Fact> one = {gpu("", "0")};
  add_gpu_count(one);
  EXPECT_EQ(one.size(), 1u);
  std::vector<Fact> with_gap = {gpu("", "0"), gpu("", "3")};
  add_gpu_count(with_gap);
  EXPECT_EQ(with_gap.size(), 2u);
}

TEST(GpuCount, WhatALineTellsStays) {
  std::vector<Fact> facts = {gpu("", "0"), gpu("", "1")};
  facts.push_back({"gpu_count", "8", {}, {}});
  add_gpu_count(facts);
  EXPECT_EQ(facts.size(), 3u);
}

}  // namespace
}  // namespace cutopsy
