#include "engine/report/json_report.h"

#include <nlohmann/json.hpp>

#include "engine/report/report_document.h"
#include "engine/report/runner_commands.h"

namespace cutopsy {

std::string json_report(const Json& document) {
  return without_commands(dumped(document, 2), kInJson) + "\n";
}

std::string json_lines_report(const Json& document, bool with_statistics) {
  std::string lines;
  for (const Json& line : report_lines(document)) lines += dumped(line) + "\n";
  if (with_statistics && document.contains("statistics"))
    lines += dumped({{"statistics", document["statistics"]}}) + "\n";
  return without_commands(lines, kInJson);
}

}  // namespace cutopsy
