#include "engine/input_walker.h"

#include <algorithm>

namespace cutopsy {

void InputWalker::walk(Chunk chunk) {
  bytes_ = chunk;
  at_ = 0;
  if (scan_) {
    read_candidates();
  } else {
    while (at_ < bytes_.size()) read_line();
  }
  in_line_ = !bytes_.ends_with('\n');
  hits_.clear();
}

void InputWalker::read_candidates() {
  const Lines lines = candidates();
  read_while_open();
  for (auto [begin, end] : lines) {
    if (begin < at_) continue;
    skip_to(begin_of_chunks(begin));
    while (at_ < begin) read_line();
    read_line();
    read_while_open();
  }
  skip_to(bytes_.size());
}

// Lines with a literal, and lines whose escapes may hide one.
InputWalker::Lines InputWalker::candidates() {
  Lines lines;
  scanner_.candidate_lines(bytes_, scratch_, hits_,
                           [&](std::size_t begin, std::size_t end) { lines.emplace_back(begin, end); });
  std::size_t before = lines.size();
  for (char hiding : Stripper::hiding_bytes()) add_lines_with(hiding, lines);
  if (lines.size() == before) return lines;
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

void InputWalker::add_lines_with(char byte, Lines& lines) {
  for (auto at = bytes_.find(byte); at != std::string_view::npos;) {
    auto before = at == 0 ? std::string_view::npos : bytes_.rfind('\n', at - 1);
    std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    std::size_t end = std::min(bytes_.find('\n', at), bytes_.size());
    lines.emplace_back(begin, end);
    at = bytes_.find(byte, end);
  }
}

// Where the line at `begin` begins: container runtimes cut long ones into several.
std::size_t InputWalker::begin_of_chunks(std::size_t begin) const {
  while (begin > at_) {
    auto before = begin < 2 ? std::string_view::npos : bytes_.rfind('\n', begin - 2);
    std::size_t previous = before == std::string_view::npos ? 0 : before + 1;
    if (previous < at_ || !ChunkJoiner::is_unfinished(bytes_.substr(previous, begin - 1 - previous))) break;
    begin = previous;
  }
  return begin;
}

void InputWalker::skip_to(std::size_t begin) {
  newlines_ += count_newlines(bytes_.substr(at_, begin - at_));
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
