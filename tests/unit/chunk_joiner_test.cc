#include "parsers/envelope/chunk_joiner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cutopsy {
namespace {

using testing::ElementsAre;
using testing::Pair;

using Joined = std::vector<std::pair<std::uint64_t, std::string>>;

Joined join(const std::vector<std::string>& lines) {
  Joined joined;
  const auto sink = [&](std::string_view raw, Place where) { joined.emplace_back(where.line, raw); };
  ChunkJoiner joiner;
  std::uint64_t number = 0;
  for (const std::string& line : lines) joiner.add(line, Place{0, ++number}, sink);
  joiner.finish(sink);
  return joined;
}

TEST(ChunkJoiner, JoinsTheChunksOfAKubernetesLog) {
  EXPECT_THAT(
      join({"2026-11-30T10:00:00.1Z stderr P RuntimeError: CUDA error: out of", "2026-11-30T10:00:00.2Z stderr P  mem",
            "2026-11-30T10:00:00.3Z stderr F ory", "2026-11-30T10:00:00.4Z stderr F next"}),
      ElementsAre(Pair(1, "2026-11-30T10:00:00.1Z stderr P RuntimeError: CUDA error: out of memory"),
                  Pair(4, "2026-11-30T10:00:00.4Z stderr F next")));
}

TEST(ChunkJoiner, JoinsTheChunksOfADockerLog) {
  EXPECT_THAT(join({R"({"log":"RuntimeError: CUDA error: out","stream":"stderr","time":"2026-11-30T10:00:00.1Z"})",
                    R"({"log":" of memory\n","stream":"stderr","time":"2026-11-30T10:00:00.2Z"})"}),
              ElementsAre(Pair(1, R"({"log":"RuntimeError: CUDA error: out of memory\n","stream":"stderr",)"
                                  R"("time":"2026-11-30T10:00:00.1Z"})")));
}

TEST(ChunkJoiner, KeepsTheStreamsApart) {
  EXPECT_THAT(join({"2026-11-30T10:00:00.1Z stderr P CUDA err", "2026-11-30T10:00:00.2Z stdout F step 5",
                    "2026-11-30T10:00:00.3Z stderr F or"}),
              ElementsAre(Pair(2, "2026-11-30T10:00:00.2Z stdout F step 5"),
                          Pair(1, "2026-11-30T10:00:00.1Z stderr P CUDA error")));
}

TEST(ChunkJoiner, ALastChunkMayBeEmptyOrMissing) {
  EXPECT_THAT(join({"2026-11-30T10:00:00.1Z stderr P abc", "2026-11-30T10:00:00.3Z stderr F"}),
              ElementsAre(Pair(1, "2026-11-30T10:00:00.1Z stderr P abc")));
  EXPECT_THAT(join({"2026-11-30T10:00:00.1Z stderr P abc"}),
              ElementsAre(Pair(1, "2026-11-30T10:00:00.1Z stderr P abc")));
}

TEST(ChunkJoiner, HandsOtherLinesOnAsTheyAre) {
  const std::vector<std::string> lines = {"RuntimeError: boom",
                                          "2026-11-30T10:00:00.1Z RuntimeError: boom",
                                          "2026-11-30T10:00:00.1Z stderr Partial",
                                          R"({"log":"RuntimeError: boom"})",
                                          R"({"log":"done\n","stream":"stdout","time":"2026-11-30T10:00:00.2Z"})",
                                          ""};
  const Joined joined = join(lines);
  ASSERT_EQ(joined.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(joined[i].second, lines[i]);
}

TEST(ChunkJoiner, HandsOnWhatIsTooLongToBeKept) {
  const std::string chunk = "2026-11-30T10:00:00.1Z stderr P " + std::string(16 * 1024, 'x');
  const Joined joined = join(std::vector<std::string>(64, chunk));
  ASSERT_GT(joined.size(), 10u);
  for (const auto& [line, raw] : joined) EXPECT_LE(raw.size(), ChunkJoiner::kMaxBytes + chunk.size());
}

TEST(ChunkJoiner, WaitsWhileALineIsNotWhole) {
  ChunkJoiner joiner;
  const auto ignore = [](std::string_view, Place) {};
  joiner.add("2026-11-30T10:00:00.1Z stdout P a", {}, ignore);
  EXPECT_TRUE(joiner.waits());
  joiner.add("2026-11-30T10:00:00.1Z stdout F b", {}, ignore);
  EXPECT_FALSE(joiner.waits());
}

}  // namespace
}  // namespace cutopsy
