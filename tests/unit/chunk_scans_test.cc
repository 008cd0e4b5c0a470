// Chunks that several threads scan are those that one would have scanned.
#include "engine/chunk_scans.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <thread>
#include <vector>

namespace cutopsy {
namespace {

struct Seen {
  std::string bytes;
  std::vector<std::size_t> lines;
  std::uint64_t newlines = 0;
  bool operator==(const Seen&) const = default;
};

std::string log_text(std::size_t bytes) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < bytes) {
    text += random() % 100 == 0 ? "CUDA error here" : "step";
    text += std::string(random() % 200, 'x') + "\n";
  }
  return text;
}

// Gives its text, then an error.
class FailingSource : public ByteSource {
 public:
  explicit FailingSource(std::string text) : text_(open_text(std::move(text))) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t bytes = text_->read(buffer);
    if (bytes == 0) throw SourceError("gone");
    return bytes;
  }

 private:
  std::unique_ptr<ByteSource> text_;
};

const LiteralScanner& scanner() {
  static const LiteralScanner literals({"CUDA error", "Traceback"});
  return literals;
}

// All chunks, with `helpers` further threads.
std::vector<Seen> scan_all(ByteSource& source, int helpers) {
  std::vector<Seen> seen;
  ScanCrew crew;
  std::vector<std::jthread> threads;
  for (int i = 0; i < helpers; ++i) threads.emplace_back([&] { crew.help(); });
  while (helpers > 0 && !crew.has_helpers()) std::this_thread::yield();
  ChunkReader chunks(source);
  try {
    ChunkScans scans(chunks, scanner(), &crew);
    while (const ScannedChunk* chunk = scans.next()) {
      seen.push_back({std::string(chunk->bytes), {}, chunk->newlines});
      for (const CandidateLine& line : chunk->lines) seen.back().lines.push_back(line.begin);
    }
  } catch (const SourceError&) {
    seen.push_back({"error", {}, 0});
  }
  crew.close();
  return seen;
}

TEST(ChunkScans, AreTheSameForAnyNumberOfThreads) {
  const std::string text = log_text(9 << 20);
  std::vector<std::vector<Seen>> seen;
  for (int helpers : {0, 1, 3}) {
    const auto source = open_text(text);
    seen.push_back(scan_all(*source, helpers));
  }
  std::string all;
  for (const Seen& chunk : seen[0]) all += chunk.bytes;
  EXPECT_EQ(all, text);
  EXPECT_EQ(seen[1], seen[0]);
  EXPECT_EQ(seen[2], seen[0]);
}

TEST(ChunkScans, TellOfAFaultBehindAllThatWasRead) {
  FailingSource source(log_text(5 << 20));
  const std::vector<Seen> seen = scan_all(source, 2);
  std::size_t bytes = 0;
  for (std::size_t i = 0; i + 1 < seen.size(); ++i) bytes += seen[i].bytes.size();
  EXPECT_GT(bytes, 5U << 20);
  EXPECT_EQ(seen.back().bytes, "error");
}

TEST(ChunkScans, MayBeLeftBeforeTheirEnd) {
  ScanCrew crew;
  std::jthread helper([&] { crew.help(); });
  while (!crew.has_helpers()) std::this_thread::yield();
  const auto source = open_text(log_text(9 << 20));
  ChunkReader chunks(*source);
  {
    ChunkScans scans(chunks, scanner(), &crew);
    EXPECT_NE(scans.next(), nullptr);
  }
  crew.close();
}

TEST(ScannedChunk, KnowsHowManyLinesStandBeforeACandidate) {
  LiteralScanner::Scratch scratch;
  ScannedChunk chunk;
  chunk.bytes = "one\ntwo\nCUDA error\nfour\nCUDA\x1b[0m error\n\x1b[31msix\nseven";
  scan_chunk(scanner(), scratch, chunk);
  ASSERT_EQ(chunk.lines.size(), 2u);
  EXPECT_EQ(chunk.lines[0].newlines_before, 2u);
  EXPECT_EQ(chunk.lines[1].newlines_before, 4u);
  EXPECT_EQ(chunk.newlines, 6u);
}

}  // namespace
}  // namespace cutopsy
