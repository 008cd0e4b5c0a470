#include <gtest/gtest.h>

#include <vector>

#include "kernels/address_hash.cuh"

namespace cutopsy::kernels {
namespace {

constexpr std::uint64_t kWords = 10007;  // divides by no grid size, so a dropped tail would show
constexpr std::uint64_t kThreads = 96;

std::vector<std::uint64_t> filled(std::uint64_t seed) {
  std::vector<std::uint64_t> memory(kWords);
  for (std::uint64_t thread = 0; thread < kThreads; ++thread) {
    fill_address_hash(memory.data(), kWords, seed, thread, kThreads);
  }
  return memory;
}

PassResult verified(const std::vector<std::uint64_t>& memory, std::uint64_t seed) {
  PassResult total;
  for (std::uint64_t thread = 0; thread < kThreads; ++thread) {
    auto part = verify_address_hash(memory.data(), kWords, seed, thread, kThreads);
    total.compared += part.compared;
    total.wrong += part.wrong;
    total.wrong_bits |= part.wrong_bits;
  }
  return total;
}

TEST(AddressHash, ComparesEveryWordOnceAndFindsNoFaultInGoodMemory) {
  auto result = verified(filled(7), 7);
  EXPECT_EQ(result.compared, kWords);
  EXPECT_EQ(result.wrong, 0u);
}

TEST(AddressHash, ReportsASingleFlippedBitInTheLastWord) {
  auto memory = filled(7);
  memory.back() ^= 1ULL << 41;
  auto result = verified(memory, 7);
  EXPECT_EQ(result.wrong, 1u);
  EXPECT_EQ(result.wrong_bits, 1ULL << 41);
}

TEST(AddressHash, SeesTwoAddressesThatReachOneCell) {
  auto memory = filled(7);
  memory[4096] = memory[0];
  EXPECT_EQ(verified(memory, 7).wrong, 1u);
}

TEST(AddressHash, UsesTheHighHalfOfTheOffset) {
  EXPECT_NE(address_hash(1, 0), address_hash(1 + (1ULL << 32), 0));
}

TEST(AddressHash, ChangesEveryWordWithTheSeed) {
  EXPECT_EQ(verified(filled(7), 8).wrong, kWords);
}

}  // namespace
}  // namespace cutopsy::kernels
