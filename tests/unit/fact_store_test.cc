// What one input's facts may cost, and which stay when there are too many.
#include "engine/match/fact_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace cutopsy {
namespace {

using ::testing::SizeIs;

Fact fact(std::string_view name, std::string value, std::uint64_t line) {
  return {name, std::move(value), {}, {0, line}};
}

TEST(FactStore, KeepsEqualFactsOnceAtTheirLastPlace) {
  FactStore store;
  for (std::uint64_t line = 1; line <= 100'000; ++line) store.add(fact("outcome", "ok", line));
  const auto facts = store.take();
  ASSERT_THAT(facts, SizeIs(1));
  EXPECT_EQ(facts[0].where.line, 100'000u);
}

TEST(FactStore, TellsHostsAndRanksApart) {
  FactStore store;
  for (const char* host : {"a", "b"}) {
    Fact one = fact("driver_version", "570.1", 1);
    one.envelope.host = host;
    store.add(one);
    one.envelope.rank = "1";
    store.add(one);
  }
  EXPECT_THAT(store.take(), SizeIs(4));
}

TEST(FactStore, KeepsTheFirstOfANameAndTheLatest) {
  FactStore store;
  for (std::size_t i = 0; i < FactStore::kMaxOfName; ++i) store.add(fact("exit_code", std::to_string(i), i + 1));
  EXPECT_EQ(store.dropped(), 0u);
  for (std::size_t i = 0; i < 5; ++i) store.add(fact("exit_code", "late " + std::to_string(i), 1000 + i));
  store.add(fact("torch_version", "2.4.0", 2000));
  EXPECT_EQ(store.dropped(), 5u);
  const auto facts = store.take();
  ASSERT_THAT(facts, SizeIs(FactStore::kMaxOfName + 1));
  EXPECT_EQ(facts[0].value, "0");
  EXPECT_EQ(facts[FactStore::kMaxOfName - 1].value, "late 4");
  EXPECT_EQ(facts[FactStore::kMaxOfName].value, "2.4.0");
}

TEST(FactStore, KnowsTheFactThatMadeRoomNoMore) {
  FactStore store;
  for (std::size_t i = 0; i <= FactStore::kMaxOfName; ++i) store.add(fact("exit_code", std::to_string(i), i + 1));
  store.add(fact("exit_code", std::to_string(FactStore::kMaxOfName - 1), 5000));
  const auto facts = store.take();
  EXPECT_EQ(facts.back().value, std::to_string(FactStore::kMaxOfName - 1));
  EXPECT_EQ(facts.back().where.line, 5000u);
}

TEST(FactStore, CutsAValueThatIsNone) {
  FactStore store;
  store.add(fact("gpu_name", std::string(FactStore::kMaxValueBytes, 'x'), 1));
  store.add(fact("gpu_name", std::string(FactStore::kMaxValueBytes + 1, 'x'), 2));
  const auto facts = store.take();
  ASSERT_THAT(facts, SizeIs(1));
  EXPECT_EQ(facts[0].value.size(), FactStore::kMaxValueBytes);
}

}  // namespace
}  // namespace cutopsy
