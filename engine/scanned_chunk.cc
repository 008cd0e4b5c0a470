#include "engine/scanned_chunk.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "parsers/envelope/control_codes.h"
#include "parsers/envelope/stripper.h"

namespace cutopsy {
namespace {

void add_lines_with(char byte, std::string_view bytes, std::vector<CandidateLine>& lines) {
  for (auto at = bytes.find(byte); at != std::string_view::npos;) {
    auto before = at == 0 ? std::string_view::npos : bytes.rfind('\n', at - 1);
    std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    lines.push_back({begin, end, 0});
    at = bytes.find(byte, end);
  }
}

// Lines that hide a literal behind terminal codes come to those that the scanner found. One that is read in pieces
// always does: its pieces are cleaned one by one.
void add_hiding_lines(const LiteralScanner& scanner, std::string_view bytes, std::vector<CandidateLine>& lines) {
  const std::size_t before = lines.size();
  for (char hiding : Stripper::hiding_bytes()) add_lines_with(hiding, bytes, lines);
  if (lines.size() == before) return;
  std::string clean;
  std::vector<LiteralId> found;
  const auto hides_nothing = [&](const CandidateLine& line) {
    const std::string_view text = bytes.substr(line.begin, line.end - line.begin);
    if (text.size() > kMaxPieceBytes) return false;
    clean_text(text, clean);
    scanner.literals_in(clean, found);
    return found.empty();
  };
  lines.erase(std::remove_if(lines.begin() + static_cast<std::ptrdiff_t>(before), lines.end(), hides_nothing),
              lines.end());
  std::ranges::sort(lines, {}, &CandidateLine::begin);
  const auto is_same = [](const CandidateLine& a, const CandidateLine& b) { return a.begin == b.begin; };
  lines.erase(std::unique(lines.begin(), lines.end(), is_same), lines.end());
}

}  // namespace

void scan_chunk(const LiteralScanner& scanner, LiteralScanner::Scratch& scratch, ScannedChunk& chunk) {
  chunk.lines.clear();
  scanner.candidate_lines(chunk.bytes, scratch, chunk.hits, [&](std::size_t begin, std::size_t end) {
    chunk.lines.push_back({begin, end, 0});
  });
  add_hiding_lines(scanner, chunk.bytes, chunk.lines);
  std::size_t counted = 0;
  chunk.newlines = 0;
  for (CandidateLine& line : chunk.lines) {
    chunk.newlines += count_newlines(chunk.bytes.substr(counted, line.begin - counted));
    line.newlines_before = chunk.newlines;
    counted = line.begin;
  }
  chunk.newlines += count_newlines(chunk.bytes.substr(counted));
}

}  // namespace cutopsy
