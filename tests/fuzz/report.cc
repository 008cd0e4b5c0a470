// Two logs become a report of one case and one of two; each is written in all formats and read back.
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/batch.h"
#include "engine/report/report_document.h"
#include "engine/report/report_lines_reader.h"
#include "tests/fuzz/property.h"
#include "tests/fuzz/report_formats.h"

namespace cutopsy {
namespace {

Analysis analysis_of(const RuleIndex& index, const std::string& name, std::string_view log) {
  const auto source = open_text(std::string(log));
  return analyse(index, name, *source);
}

// What --format jsonl writes, merge reads: rows merged from one report say what its own groups say.
void check_merging(const Json& document, const RuleSet& rules) {
  IncidentRows forwards, backwards;
  std::vector<Json> lines = report_lines(document);
  for (const Json& line : lines) {
    const auto read = read_json(dumped(line));
    require(read && dumped(*read) == dumped(line), "a line of a report reads as it was written", dumped(line));
    forwards.add(line);
  }
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) backwards.add(*line);
  const Json merged = merged_document(forwards, {}, rules);
  require_equal(dumped(merged), dumped(merged_document(backwards, {}, rules)), "rows merge in any order to the same");
  check_formats(merged, rules);
}

}  // namespace
}  // namespace cutopsy

// The first line that is "===" divides the two logs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  static const RuleIndex index(RuleSet::built_in());
  const std::string_view text = bytes_of(data, size);
  const std::size_t end = std::min(text.find("\n===\n"), size);
  Batch batch;
  batch.cases.push_back(analysis_of(index, "first \x1b[31m<b>%.log", text.substr(0, end)));
  check_formats(report_document(batch, index.rules()), index.rules());
  batch.cases.push_back(analysis_of(index, "second/`|\n.log", text.substr(std::min(end + 5, size))));
  batch.errors.push_back("third: gone");
  batch.skipped["binary"] = 1;
  const Json document = report_document(batch, index.rules());
  check_formats(document, index.rules());
  check_merging(document, index.rules());
  return 0;
}
