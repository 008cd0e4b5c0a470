// Every parser of single lines reads every line.
#include "parsers/envelope/stripper.h"
#include "parsers/registry.h"
#include "tests/fuzz/vocabulary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  Stripper stripper;
  const auto parse = [](const Line& line) {
    for (const LineParser& parser : line_parsers()) {
      VocabularySink sink;
      parser.parse(line, sink);
      require(sink.said().empty() || holds_one_of(line.text, parser.triggers),
              "a line that a parser can read holds one of its triggers", std::string(parser.name) + '\n' + sink.said());
    }
  };
  for_each_line_of(bytes_of(data, size), [&](std::string_view raw, std::uint64_t number) {
    stripper.strip(raw.substr(0, Stripper::kMaxLineBytes), {0, number}, parse);
  });
  return 0;
}
