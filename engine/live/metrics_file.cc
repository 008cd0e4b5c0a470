#include "engine/live/metrics_file.h"

#include <fmt/format.h>

#include "engine/live/whole_file.h"
#include "engine/source/byte_source.h"

namespace cutopsy {

std::string metrics_text(const std::map<std::string, AlertFeed::Count>& counts) {
  std::string text =
      "# HELP cutopsy_findings_total Findings in the followed logs, by rule and severity.\n"
      "# TYPE cutopsy_findings_total counter\n";
  // Ids and severities hold no character that a label's value must escape.
  for (const auto& [rule, count] : counts)
    text += fmt::format("cutopsy_findings_total{{rule=\"{}\",severity=\"{}\"}} {}\n", rule, to_string(count.severity),
                        count.findings);
  return text;
}

void write_metrics(const std::string& path, const std::string& text) {
  if (const std::string error = write_whole_file(path, text); !error.empty()) {
    throw SourceError(
        fmt::format("{}: the metrics cannot be written: {}; name a file in a folder that can be written", path, error));
  }
}

}  // namespace cutopsy
