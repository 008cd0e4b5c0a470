#include "engine/pipeline.h"

#include <algorithm>
#include <utility>

#include "engine/explain/explain.h"
#include "engine/source/chunk.h"

namespace cutopsy {
namespace {

// Inputs smaller than this are searched literal by literal: cheaper than compiling the database.
constexpr std::size_t kSmallInputBytes = 64 * 1024;

// Shows one input's lines to a reader: those that hold a literal, and while a record is open all that follow.
class InputWalker {
 public:
  InputWalker(const LiteralScanner& scanner, bool scan, Reader& reader, std::uint32_t input)
      : scanner_(scanner), scan_(scan), reader_(reader), input_(input) {}

  void walk(const Chunk& chunk) {
    bytes_ = chunk.bytes;
    at_ = 0;
    line_ = chunk.first_line;
    if (!scan_) {
      while (at_ < bytes_.size()) read_line();
      return;
    }
    read_while_open();
    for (auto [begin, end] : candidates()) {
      if (begin < at_) continue;
      skip_to(begin_of_chunks(begin));
      while (at_ < begin) read_line();
      read_line();
      read_while_open();
    }
  }

 private:
  using Lines = std::vector<std::pair<std::size_t, std::size_t>>;

  // Lines with a literal, and lines whose escapes may hide one.
  Lines candidates() {
    Lines lines;
    scanner_.candidate_lines(bytes_, scratch_,
                             [&](std::size_t begin, std::size_t end) { lines.emplace_back(begin, end); });
    std::size_t before = lines.size();
    for (char hiding : Stripper::hiding_bytes()) add_lines_with(hiding, lines);
    if (lines.size() == before) return lines;
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
  }

  void add_lines_with(char byte, Lines& lines) {
    for (auto at = bytes_.find(byte); at != std::string_view::npos;) {
      auto before = at == 0 ? std::string_view::npos : bytes_.rfind('\n', at - 1);
      std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
      std::size_t end = std::min(bytes_.find('\n', at), bytes_.size());
      lines.emplace_back(begin, end);
      at = bytes_.find(byte, end);
    }
  }

  // Where the line at `begin` begins: container runtimes cut long ones into several.
  std::size_t begin_of_chunks(std::size_t begin) const {
    while (begin > at_) {
      auto before = begin < 2 ? std::string_view::npos : bytes_.rfind('\n', begin - 2);
      std::size_t previous = before == std::string_view::npos ? 0 : before + 1;
      if (previous < at_ || !ChunkJoiner::is_unfinished(bytes_.substr(previous, begin - 1 - previous))) break;
      begin = previous;
    }
    return begin;
  }

  void skip_to(std::size_t begin) {
    line_ += count_newlines(bytes_.substr(at_, begin - at_));
    at_ = begin;
  }

  void read_while_open() {
    while (reader_.has_open_records() && at_ < bytes_.size()) read_line();
  }

  // Reads the line at `at_`, in pieces when it is too long, and moves past it.
  void read_line() {
    std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    do {
      std::size_t piece = first_piece(bytes_.substr(at_, end - at_));
      reader_.read(bytes_.substr(at_, piece), Place{input_, line_});
      at_ += piece;
    } while (at_ < end);
    at_ = end + 1;
    ++line_;
  }

  const LiteralScanner& scanner_;
  const bool scan_;
  Reader& reader_;
  const std::uint32_t input_;
  LiteralScanner::Scratch scratch_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
};

}  // namespace

Case::Case(const RuleIndex& index, Options options) : index_(index), options_(options), matcher_(index, options.scan) {}

void Case::add(const std::string& name, ByteSource& source) {
  InputSummary summary;
  summary.name = name;
  ChunkReader chunks(source);
  Reader reader(matcher_, matcher_);
  InputWalker walker(index_.scanner(), options_.scan, reader, static_cast<std::uint32_t>(analysis_.inputs.size()));
  std::uint64_t before = matcher_.lines_of_interest();
  try {
    Chunk chunk;
    while (chunks.next(chunk)) {
      if (options_.scan && chunk.bytes.size() >= kSmallInputBytes) index_.scanner().prepare_for_large_input();
      walker.walk(chunk);
    }
  } catch (const SourceError& error) {
    summary.error = error.what();
  }
  reader.finish();
  matcher_.end_input();
  summary.bytes = chunks.bytes();
  summary.lines = chunks.lines();
  summary.candidate_lines = matcher_.lines_of_interest() - before;
  analysis_.limits.records_cut += reader.limits().records_cut;
  analysis_.limits.records_stale += reader.limits().records_stale;
  analysis_.limits.lanes_evicted += reader.limits().lanes_evicted;
  analysis_.inputs.push_back(std::move(summary));
}

Analysis Case::finish() {
  MatchResult matched = matcher_.take();
  analysis_.limits.findings_dropped = matched.findings_dropped;
  analysis_.limits.facts_dropped = matched.facts_dropped;
  std::vector<std::uint64_t> lines;
  for (const InputSummary& input : analysis_.inputs) lines.push_back(input.lines);
  analysis_.diagnosis = explain(matched.findings, matched.facts, lines);
  analysis_.findings = std::move(matched.findings);
  return std::move(analysis_);
}

}  // namespace cutopsy
