// The scan of a chunk: both searches find the lines and literals that a plain search finds.
#include <algorithm>
#include <memory>
#include <vector>

#include "engine/match/rule_index.h"
#include "engine/scanned_chunk.h"
#include "tests/fuzz/property.h"

namespace cutopsy {
namespace {

struct Searches {
  Searches() { large.prepare_for_large_input(); }

  RuleIndex index{RuleSet::built_in()};
  LiteralScanner small{index.scanner().literals()};
  LiteralScanner large{index.scanner().literals()};
  LiteralScanner::Scratch small_scratch, large_scratch;
};

std::vector<LiteralId> searched_for(const std::vector<std::string>& literals, std::string_view line) {
  std::vector<LiteralId> found;
  for (std::size_t id = 0; id < literals.size(); ++id) {
    if (line.find(literals[id]) != line.npos) found.push_back(static_cast<LiteralId>(id));
  }
  return found;
}

ScannedChunk scan(const LiteralScanner& scanner, LiteralScanner::Scratch& scratch, std::string_view bytes) {
  ScannedChunk chunk;
  chunk.bytes = bytes;
  scan_chunk(scanner, scratch, chunk);
  require(chunk.newlines == count_newlines(bytes), "a scan counts the lines");
  return chunk;
}

bool is_candidate(const ScannedChunk& chunk, std::size_t begin) {
  return std::ranges::binary_search(chunk.lines, begin, {}, &CandidateLine::begin);
}

}  // namespace
}  // namespace cutopsy

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  static Searches searches;
  const std::string_view bytes = bytes_of(data, size);
  const std::vector<std::string>& literals = searches.small.literals();
  const ScannedChunk small = scan(searches.small, searches.small_scratch, bytes);
  const ScannedChunk large = scan(searches.large, searches.large_scratch, bytes);
  std::vector<LiteralId> in_line, in_hits;
  for_each_line_of(bytes, [&](std::string_view line, std::uint64_t) {
    const auto begin = static_cast<std::size_t>(line.data() - bytes.data());
    const std::vector<LiteralId> expected = searched_for(literals, line);
    searches.small.literals_in(line, in_line);
    require(in_line == expected, "literals_in() finds all that stand in a line", line);
    for (const ScannedChunk* chunk : {&small, &large}) {
      require(expected.empty() || is_candidate(*chunk, begin), "a line with a literal is a candidate", line);
      require(chunk->hits.literals_in(line, literals, in_hits) && in_hits == expected,
              "the hits of a chunk are all that stand in it", line);
    }
  });
  require(std::ranges::equal(small.lines, large.lines, {}, &CandidateLine::begin, &CandidateLine::begin),
          "both searches choose the same lines");
  return 0;
}
