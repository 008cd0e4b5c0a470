// Files that `cutopsy merge` and --baseline read: reports from elsewhere, or what somebody made of them.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/report/baseline.h"
#include "engine/report/incident_rows.h"
#include "engine/report/json_report.h"
#include "engine/report/report_document.h"
#include "engine/report/report_lines_reader.h"
#include "engine/report/statistics.h"
#include "engine/rule/loader.h"
#include "engine/source/byte_source.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/report_formats.h"

namespace cutopsy {
namespace {

struct Lines {
  std::vector<Json> incidents;
  Json statistics;
};

Lines read_lines(const std::string& path) {
  Lines lines;
  const auto see = [&](Json line) {
    if (line.contains("statistics")) {
      add_statistics(lines.statistics, object_in(line, "statistics"));
    } else if (text_in(line, "fingerprint").empty() || text_in(line, "rule").empty()) {
      return false;
    } else {
      lines.incidents.push_back(std::move(line));
    }
    return true;
  };
  try {
    read_report_lines(path, see, [](const std::string& message) { require(!message.empty(), "a complaint says why"); });
  } catch (const SourceError&) {
  }
  return lines;
}

template <typename Range>
Json merged(const Range& incidents, const Json& statistics, const RuleSet& rules) {
  IncidentRows rows;
  for (const Json& line : incidents) rows.add(line);
  return merged_document(rows, statistics, rules);
}

void check_baseline(const std::string& path, Json document) {
  try {
    const Baseline baseline(path);
    baseline.mark(document);
    worst_new(document);
  } catch (const SourceError&) {
  }
}

}  // namespace
}  // namespace cutopsy

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace cutopsy;
  static const RuleSet rules = load_rules_from_text("none.yaml", "[]").rules;
  const MemoryFile file(bytes_of(data, size));
  Lines lines = read_lines(file.path());
  const Json document = merged(lines.incidents, lines.statistics, rules);
  check_formats(document, rules);
  std::ranges::reverse(lines.incidents);
  require_equal(dumped(merged(lines.incidents, lines.statistics, rules)), dumped(document),
                "rows merge in any order to the same");

  const MemoryFile output(json_lines_report(document, true));
  const Lines again = read_lines(output.path());
  require_equal(dumped(merged(again.incidents, again.statistics, rules)), dumped(document),
                "merging what merge wrote changes nothing");
  check_baseline(file.path(), document);
  return 0;
}
