#include "engine/input_walker.h"

#include <algorithm>
#include <utility>

namespace cutopsy {

void InputWalker::begin(Chunk chunk) {
  bytes_ = chunk;
  at_ = 0;
  newlines_before_ = newlines_;
}

void InputWalker::end() {
  in_line_ = !bytes_.ends_with('\n');
  hits_.clear();
}

void InputWalker::walk_all(Chunk chunk) {
  begin(chunk);
  while (at_ < bytes_.size()) read_line();
  end();
}

void InputWalker::walk(ScannedChunk& chunk) {
  begin(chunk.bytes);
  std::swap(hits_, chunk.hits);
  read_while_open();
  for (const CandidateLine& line : chunk.lines) {
    if (line.begin < at_) continue;
    skip_to(line);
    while (at_ < line.begin) read_line();
    read_line();
    read_while_open();
  }
  newlines_ = newlines_before_ + chunk.newlines;
  end();
}

// To where the line begins: container runtimes cut long ones into several.
void InputWalker::skip_to(const CandidateLine& line) {
  std::size_t begin = line.begin;
  newlines_ = newlines_before_ + line.newlines_before;
  while (begin > at_) {
    auto before = begin < 2 ? std::string_view::npos : bytes_.rfind('\n', begin - 2);
    std::size_t previous = before == std::string_view::npos ? 0 : before + 1;
    if (previous < at_ || !ChunkJoiner::is_unfinished(bytes_.substr(previous, begin - 1 - previous))) break;
    begin = previous;
    --newlines_;
  }
  at_ = begin;
}

void InputWalker::read_while_open() {
  while (reader_.has_open_records() && at_ < bytes_.size()) read_line();
}

// Reads the line at `at_`, in pieces when it is too long, and moves past it.
void InputWalker::read_line() {
  std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
  do {
    std::size_t piece = first_piece(bytes_.substr(at_, end - at_));
    reader_.read(bytes_.substr(at_, piece), Place{input_, newlines_ + 1});
    at_ += piece;
  } while (at_ < end);
  if (end == bytes_.size()) return;
  at_ = end + 1;
  ++newlines_;
}

}  // namespace cutopsy
