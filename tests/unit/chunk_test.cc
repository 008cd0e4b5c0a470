#include "engine/source/chunk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace cutopsy {
namespace {

// Gives its text in reads of at most `step` bytes.
class SlowSource : public ByteSource {
 public:
  SlowSource(std::string text, std::size_t step) : text_(std::move(text)), step_(step) {}
  std::size_t read(std::span<char> buffer) override {
    std::size_t bytes = std::min({buffer.size(), step_, text_.size() - at_});
    std::memcpy(buffer.data(), text_.data() + at_, bytes);
    at_ += bytes;
    return bytes;
  }

 private:
  std::string text_;
  std::size_t step_;
  std::size_t at_ = 0;
};

struct Read {
  std::string text;
  std::uint64_t cuts = 0;
};

Read read_all(const std::string& text, std::size_t step) {
  SlowSource source(text, step);
  ChunkReader chunks(source);
  Read result;
  Chunk chunk;
  while (chunks.next(chunk)) result.text += chunk;
  result.cuts = chunks.cuts();
  return result;
}

TEST(ChunkReader, GivesEveryByte) {
  std::string text = "one\ntwo\nthree";
  for (std::size_t step : {1, 2, 3, 100}) EXPECT_EQ(read_all(text, step).text, text) << step;
}

TEST(ChunkReader, GivesNothingForAnEmptyInput) {
  SlowSource source("", 1);
  ChunkReader chunks(source);
  Chunk chunk;
  EXPECT_FALSE(chunks.next(chunk));
}

TEST(ChunkReader, EndsChunksAtLineEnds) {
  std::string line(1000, 'x');
  std::string text;
  for (int i = 0; i < 1000; ++i) text += line + "\n";
  SlowSource source(text, 7777);
  ChunkReader chunks(source);
  Chunk chunk;
  while (chunks.next(chunk)) ASSERT_EQ(chunk.size() % 1001, 0u);
  EXPECT_EQ(chunks.bytes(), text.size());
}

TEST(ChunkReader, CutsALineThatNeverEndsIntoPieces) {
  constexpr std::size_t kPieces = 20;
  std::string text = "first\n" + std::string(kPieces * kMaxPieceBytes, 'x') + "\nlast\n";
  auto read = read_all(text, 100000);
  EXPECT_EQ(read.text, text);
  EXPECT_EQ(read.cuts, kPieces - 1);
}

TEST(ChunkReader, CountsCutsOfLinesThatAreLongerThanAPiece) {
  const std::string piece(kMaxPieceBytes, 'x');
  EXPECT_EQ(read_all(piece + "\n" + piece, 50000).cuts, 0u);
  EXPECT_EQ(read_all(piece + "x\n" + piece, 50000).cuts, 1u);
  EXPECT_EQ(read_all("short\n" + piece + "x", 50000).cuts, 1u);
  std::string bars;
  for (int i = 0; i < 20; ++i) bars += std::string(40000, 'x') + "\r";
  EXPECT_EQ(read_all(bars, 50000).cuts, 0u);
}

TEST(ChunkReader, TurnsUtf16IntoUtf8) {
  std::string utf16 = "\xFF\xFE";
  for (char c : std::string("CUDA error\r\nnext\n")) {
    utf16 += c;
    utf16 += '\0';
  }
  for (std::size_t step : {1, 3, 1000}) {
    EXPECT_EQ(read_all(utf16, step).text, "CUDA error\r\nnext\n") << step;
  }
}

TEST(ChunkReader, KnowsBigEndianUtf16WithoutAMarkByItsNuls) {
  std::string utf16;
  for (char c : std::string("a line that is long enough to tell\n")) {
    utf16 += '\0';
    utf16 += c;
  }
  EXPECT_EQ(read_all(utf16, 1000).text, "a line that is long enough to tell\n");
}

TEST(ChunkReader, DropsAUtf8Mark) {
  EXPECT_EQ(read_all("\xEF\xBB\xBFx\n", 1000).text, "x\n");
}

TEST(ChunkReader, ReplacesALoneSurrogate) {
  std::string utf16("\xFF\xFE\x00\xD8\x41\x00\n\x00", 8);
  EXPECT_EQ(read_all(utf16, 1000).text,
            "\xEF\xBF\xBD"
            "A\n");
}

TEST(ChunkReader, BytesMayFollowUtf16) {
  std::string text = "\xFF\xFE";
  for (char c : std::string("from PowerShell\r\n")) {
    text += c;
    text += '\0';
  }
  text += "2026-05-18T03:11:40.112934+00:00 from another program, \xE4\xB8\xAD\xE6\x96\x87\nshort\n";
  for (std::size_t step : {1, 7, 64, 1000}) {
    auto read = read_all(text, step);
    EXPECT_EQ(
        read.text,
        "from PowerShell\r\n2026-05-18T03:11:40.112934+00:00 from another program, \xE4\xB8\xAD\xE6\x96\x87\nshort\n")
        << step;
  }
}

TEST(ChunkReader, ChineseTextInUtf16StaysUtf16) {
  // 上 (U+4E0A) has a '\n' for its low byte; 你好 follows.
  std::string text = "\xFF\xFE";
  std::string expected;
  for (int i = 0; i < 40; ++i) {
    text += "\x0A\x4E\x60\x4F\x7D\x59";
    expected += "\xE4\xB8\x8A\xE4\xBD\xA0\xE5\xA5\xBD";
  }
  EXPECT_EQ(read_all(text, 1000).text, expected);
}

TEST(ChunkReader, ReturnsEndTheLinesOfAnInputWithoutANewline) {
  EXPECT_EQ(read_all("one\rtwo\rthree", 1000).text, "one\ntwo\nthree");
  EXPECT_EQ(read_all("one\rtwo\nthree\r", 1000).text, "one\rtwo\nthree\r");
}

TEST(FirstPiece, EndsAtTheLastProgressBarBeforeTheLimit) {
  std::string line(kMaxPieceBytes + 10, 'x');
  line[100] = '\r';
  line[200] = '\r';
  EXPECT_EQ(first_piece(line), 200u);
  EXPECT_EQ(first_piece(std::string(kMaxPieceBytes, 'x')), kMaxPieceBytes);
  EXPECT_EQ(first_piece(std::string(kMaxPieceBytes + 1, 'x')), kMaxPieceBytes);
}

TEST(CountNewlines, CountsBlocksAndTheRest) {
  std::string text(100000, '\n');
  EXPECT_EQ(count_newlines(text), 100000u);
  EXPECT_EQ(count_newlines("a\nb\nc"), 2u);
  EXPECT_EQ(count_newlines(""), 0u);
}

}  // namespace
}  // namespace cutopsy
