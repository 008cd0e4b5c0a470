#include "engine/scan/literal_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace cutopsy {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> candidates(const LiteralScanner& scanner, std::string_view text) {
  LiteralScanner::Scratch scratch;
  ChunkHits hits;
  std::vector<std::string> lines;
  scanner.candidate_lines(text, scratch, hits, [&](std::size_t begin, std::size_t end) {
    lines.emplace_back(text.substr(begin, end - begin));
  });
  return lines;
}

class LiteralScannerBothWays : public ::testing::TestWithParam<bool> {
 protected:
  LiteralScannerBothWays() : scanner_({"alpha", "beta_", "gamma"}) {
    if (GetParam()) scanner_.prepare_for_large_input();
  }
  LiteralScanner scanner_;
};

TEST_P(LiteralScannerBothWays, GivesEachLineWithALiteralOnceInOrder) {
  EXPECT_THAT(candidates(scanner_, "gamma\nnone\nalpha beta_ alpha\nx gamma\n"),
              ElementsAre("gamma", "alpha beta_ alpha", "x gamma"));
}

TEST_P(LiteralScannerBothWays, GivesALastLineWithoutNewline) {
  EXPECT_THAT(candidates(scanner_, "none\nbeta_"), ElementsAre("beta_"));
}

TEST_P(LiteralScannerBothWays, DoesNotFindALiteralAcrossLines) {
  EXPECT_THAT(candidates(scanner_, "alp\nha\n"), IsEmpty());
}

TEST_P(LiteralScannerBothWays, IsCaseSensitive) {
  EXPECT_THAT(candidates(scanner_, "Alpha\n"), IsEmpty());
}

TEST_P(LiteralScannerBothWays, ListsDistinctLiteralsOfALine) {
  std::vector<LiteralId> found;
  scanner_.literals_in("gamma alpha gamma", found);
  EXPECT_THAT(found, ElementsAre(0, 2));
}

INSTANTIATE_TEST_SUITE_P(Search, LiteralScannerBothWays, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "Database" : "Pairs"; });

TEST(LiteralScanner, FindsTheSameBothWaysInRandomText) {
  std::vector<std::string> literals = {"abcab", "bcabc", "ccccc", "aabba"};
  LiteralScanner pairs(literals);
  LiteralScanner database(literals);
  database.prepare_for_large_input();
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    std::string text;
    for (int i = 0; i < 4000; ++i) text += "abcabc\n"[random() % 7];
    EXPECT_EQ(candidates(pairs, text), candidates(database, text)) << "seed " << seed;
  }
}

// Whatever piece of a scanned chunk is asked for, its literals are those that a search of it finds.
TEST(ChunkHits, KnowTheLiteralsOfEveryPiece) {
  LiteralScanner scanner({"abcab", "bcabc", "ccccc", "aabba", "abcabcabc"});
  scanner.prepare_for_large_input();
  LiteralScanner::Scratch scratch;
  std::mt19937 random(3);
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "abcabc\n"[random() % 7];
  ChunkHits hits;
  scanner.candidate_lines(text, scratch, hits, [](std::size_t, std::size_t) {});
  std::vector<LiteralId> searched, known;
  for (int i = 0; i < 2000; ++i) {
    const std::size_t begin = random() % text.size();
    const std::string_view piece = std::string_view(text).substr(begin, 1 + random() % 60);
    scanner.literals_in(piece, searched);
    ASSERT_TRUE(hits.literals_in(piece, scanner.literals(), known));
    EXPECT_EQ(known, searched) << piece;
  }
}

TEST(ChunkHits, KnowNothingOfOtherTextsAndOfChunksThatAreGone) {
  LiteralScanner scanner({"abcab"});
  scanner.prepare_for_large_input();
  LiteralScanner::Scratch scratch;
  const std::string text = "abcab", other = "abcab";
  ChunkHits hits;
  std::vector<LiteralId> found;
  EXPECT_FALSE(hits.literals_in(text, scanner.literals(), found));
  scanner.candidate_lines(text, scratch, hits, [](std::size_t, std::size_t) {});
  EXPECT_TRUE(hits.literals_in(text, scanner.literals(), found));
  EXPECT_FALSE(hits.literals_in(other, scanner.literals(), found));
  hits.clear();
  EXPECT_FALSE(hits.literals_in(text, scanner.literals(), found));
}

}  // namespace
}  // namespace cutopsy
