// Bytes to chunks: UTF-16, long lines, lone returns. However the bytes arrive, the lines are the same.
#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "engine/source/chunk.h"
#include "tests/fuzz/property.h"

namespace cutopsy {
namespace {

// Repeats the text, so that few bytes of a fuzzer reach the bounds; gives `step` bytes at a time.
class Repeated : public ByteSource {
 public:
  Repeated(std::string_view text, std::size_t times, std::size_t step)
      : text_(text), left_(text.size() * times), step_(step) {}
  std::size_t read(std::span<char> buffer) override {
    const std::size_t bytes = std::min({buffer.size(), left_, step_, text_.size() - at_});
    std::memcpy(buffer.data(), text_.data() + at_, bytes);
    left_ -= bytes;
    at_ = (at_ + bytes) % std::max<std::size_t>(text_.size(), 1);
    return bytes;
  }

 private:
  std::string_view text_;
  std::size_t left_, step_, at_ = 0;
};

struct Pieces {
  std::vector<std::string> lines;
  std::uint64_t newlines = 0;
  std::uint64_t cuts = 0;
  bool operator==(const Pieces&) const = default;
};

Pieces read_all(Repeated source) {
  ChunkReader chunks(source);
  Pieces pieces;
  std::vector<char> kept;
  bool hand_over = false;
  for (Chunk chunk; chunks.next(chunk);) {
    require(!chunk.empty(), "no chunk is empty");
    if ((hand_over = !hand_over)) chunks.hand_over(kept);
    pieces.newlines += count_newlines(chunk);
    while (!chunk.empty()) {
      std::string_view line = chunk.substr(0, chunk.find('\n'));
      chunk.remove_prefix(std::min(line.size() + 1, chunk.size()));
      do {
        const std::size_t piece = first_piece(line);
        require(piece <= kMaxPieceBytes, "no piece is longer than kMaxPieceBytes");
        require(piece > 0 || line.empty(), "a line that is not empty has a first piece");
        pieces.lines.emplace_back(line.substr(0, piece));
        line.remove_prefix(piece);
      } while (!line.empty());
    }
  }
  pieces.cuts = chunks.cuts();
  return pieces;
}

}  // namespace
}  // namespace cutopsy

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  if (size < 3) return 0;
  // The last bytes say how often the text comes and in what pieces.
  const std::size_t times = data[size - 1] % 4 == 0 ? 1 + 300'000 / size : 1;
  const std::size_t step = times > 1 ? 30'000 + data[size - 2] : 1 + data[size - 2] % 64;
  const std::string_view text = bytes_of(data, size - 2);
  require(read_all({text, times, 1 << 20}) == read_all({text, times, step}),
          "the size of the reads does not change the lines");
  return 0;
}
