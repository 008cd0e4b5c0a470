// What is taken off a line: chunks, terminal codes, prefixes, JSON, in any nesting.
#include <algorithm>
#include <array>
#include <vector>

#include "parsers/envelope/chunk_joiner.h"
#include "parsers/envelope/control_codes.h"
#include "parsers/envelope/stripper.h"
#include "tests/fuzz/property.h"

namespace cutopsy {
namespace {

std::string described(const Line& line) {
  const Envelope& e = line.envelope;
  std::string text;
  for (const std::string_view part :
       {line.text, line.lane, std::string_view(e.time), std::string_view(e.level), std::string_view(e.host),
        std::string_view(e.rank), std::string_view(e.local_rank), std::string_view(e.pod), std::string_view(e.pid),
        std::string_view(e.application)})
    (text += part) += '\x1f';
  return text + std::to_string(e.seconds) + (e.zone_known ? "z" : "") + (e.kernel ? "k" : "") +
         std::to_string(e.repeats);
}

void check(const Line& line) {
  static constexpr std::array<std::string_view, 6> kLevels = {"", "debug", "info", "warning", "error", "fatal"};
  require(std::ranges::find(kLevels, line.envelope.level) != kLevels.end(), "levels are normalised",
          line.envelope.level);
  require(line.text.empty() || std::string_view(" \t\r\n").find(line.text.back()) == std::string_view::npos,
          "a text has no space at its end", line.text);
  require(!has_control_codes(line.text), "a text has no control codes", line.text);
}

std::vector<std::string> strip(Stripper& stripper, std::string_view raw) {
  std::vector<std::string> lines;
  stripper.strip(raw, {0, 1}, [&](const Line& line) {
    check(line);
    lines.push_back(described(line));
  });
  return lines;
}

}  // namespace
}  // namespace cutopsy

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  Stripper stripper;
  ChunkJoiner joiner;
  const ChunkJoiner::Sink see = [&](std::string_view raw, Place) {
    Stripper fresh;
    require(strip(stripper, raw) == strip(fresh, raw), "a stripper that was used before gives the same lines", raw);
    std::string clean, cleaner;
    clean_text(raw, clean);
    clean_text(clean, cleaner);
    require_equal(clean, cleaner, "what is clean stays as it is");
  };
  for_each_line_of(bytes_of(data, size), [&](std::string_view raw, std::uint64_t number) {
    joiner.add(raw.substr(0, Stripper::kMaxLineBytes), {0, number}, see);
  });
  joiner.finish(see);
  require(!joiner.waits(), "finish() hands on all chunks");
  return 0;
}
