#include "engine/source/chunk.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace cutopsy {

std::size_t first_piece(std::string_view line) {
  if (line.size() <= kMaxPieceBytes) return line.size();
  auto bar = line.substr(0, kMaxPieceBytes).rfind('\r');
  return bar == std::string_view::npos || bar == 0 ? kMaxPieceBytes : bar;
}

// Written so that compilers keep the inner loop in vector registers of bytes: summing into a wide integer at every
// byte is several times slower.
std::uint64_t count_newlines(std::string_view bytes) {
  constexpr std::size_t kLanes = 32;
  constexpr std::size_t kRounds = 255;
  std::uint64_t count = 0;
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  while (static_cast<std::size_t>(end - at) >= kLanes) {
    std::size_t rounds = std::min(kRounds, static_cast<std::size_t>(end - at) / kLanes);
    std::array<std::uint8_t, kLanes> lanes{};
    for (std::size_t round = 0; round < rounds; ++round, at += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += at[lane] == '\n';
    }
    for (std::uint8_t lane : lanes) count += lane;
  }
  return count + static_cast<std::uint64_t>(std::count(at, end, '\n'));
}

ChunkReader::ChunkReader(ByteSource& source) : source_(source), buffer_(kBufferBytes) {}

// Appends bytes to the buffer; false at the end of the input.
bool ChunkReader::fill() {
  if (decoder_.passes_through() && decoded_.empty()) {
    std::size_t got = source_.read(std::span(buffer_).subspan(filled_));
    bytes_ += got;
    filled_ += got;
    return got > 0;
  }
  if (decoded_.empty()) {
    constexpr std::size_t kFirstBytes = 4096;  // enough to tell UTF-16 by its NULs
    std::array<char, kFirstBytes> raw{};
    std::size_t have = 0;
    while (have < raw.size()) {
      std::size_t got = source_.read(std::span(raw).subspan(have));
      have += got;
      constexpr std::size_t kTelling = 64;
      if (got == 0 || have >= kTelling) break;
    }
    bytes_ += have;
    if (have > 0) {
      decoder_.decode(std::span<const char>(raw).first(have), decoded_);
    } else {
      decoder_.finish(decoded_);
      if (decoded_.empty()) return false;
    }
  }
  std::size_t moved = std::min(decoded_.size(), buffer_.size() - filled_);
  std::memcpy(buffer_.data() + filled_, decoded_.data(), moved);
  filled_ += moved;
  decoded_.erase(0, moved);
  return true;
}

// For a whole input without a single '\n'.
void ChunkReader::break_at_returns() {
  std::replace(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), '\r', '\n');
}

// `goes_on`: the last piece of `bytes` goes on in the next chunk. Looks at few bytes where lines are short.
void ChunkReader::count_cuts(std::string_view bytes, bool goes_on) {
  while (bytes.size() > kMaxPieceBytes) {
    auto newline = bytes.substr(0, kMaxPieceBytes + 1).rfind('\n');
    std::size_t piece = newline == std::string_view::npos ? first_piece(bytes) : newline + 1;
    if (newline == std::string_view::npos && bytes[piece] != '\r') ++cuts_;
    bytes.remove_prefix(piece);
  }
  if (goes_on && bytes.size() == kMaxPieceBytes && bytes.find('\n') == std::string_view::npos) ++cuts_;
}

bool ChunkReader::next(Chunk& chunk) {
  std::memmove(buffer_.data(), buffer_.data() + given_, filled_ - given_);
  filled_ -= given_;
  std::size_t searched = 0;
  std::size_t end = 0;
  while (end == 0) {
    std::string_view fresh(buffer_.data() + searched, filled_ - searched);
    auto newline = fresh.rfind('\n');
    if (newline != std::string_view::npos) {
      end = searched + newline + 1;
      has_newline_ = true;
      break;
    }
    searched = filled_;
    if (filled_ == buffer_.size()) {  // one line fills the buffer: give its whole pieces
      while (filled_ - end > kMaxPieceBytes) end += first_piece({buffer_.data() + end, filled_ - end});
      break;
    }
    ended_ = ended_ || !fill();
    if (ended_ && !has_newline_) break_at_returns();
    if (ended_) end = filled_;
    if (ended_ && filled_ == 0) {
      given_ = 0;
      return false;
    }
  }
  chunk = {buffer_.data(), end};
  bool in_line = !chunk.ends_with('\n') && end < filled_;
  count_cuts(chunk, in_line && buffer_[end] != '\n' && buffer_[end] != '\r');
  given_ = end;
  return true;
}

void ChunkReader::hand_over(std::vector<char>& buffer) {
  buffer.resize(kBufferBytes);
  std::memcpy(buffer.data(), buffer_.data() + given_, filled_ - given_);
  buffer_.swap(buffer);
  filled_ -= given_;
  given_ = 0;
}

}  // namespace cutopsy
