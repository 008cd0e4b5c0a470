#include "engine/report/baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/report/incident_rows.h"
#include "engine/report/report_lines_reader.h"
#include "engine/source/byte_source.h"
#include "engine/source/input_lines.h"

namespace cutopsy {
namespace {

constexpr std::size_t kMaxBaselineBytes = 256 << 20;

std::string read_all(const std::string& path) {
  std::string text;
  std::uint64_t last = 1;
  for_each_line(path, [&](std::uint64_t number, std::string_view piece) {
    if (number != last) text += '\n';
    last = number;
    text += piece;
    if (text.size() > kMaxBaselineBytes) throw SourceError(path + ": too long for a report; name an earlier report");
  });
  return text;
}

[[noreturn]] void refuse(const std::string& path) {
  throw SourceError(fmt::format(
      "{}: no report of cutopsy; make one with: cutopsy --output jsonl={} LOGS, or cutopsy merge", path, path));
}

}  // namespace

Baseline::Baseline(const std::string& path) {
  const auto add = [&](const Json& finding) {
    if (const std::string_view text = text_in(finding, "fingerprint"); !text.empty()) fingerprints_.emplace(text);
  };
  const std::string text = read_all(path);
  if (const auto report = read_json(text); report && report->contains("incidents")) {
    for (const char* list : {"incidents", "unknown"}) std::ranges::for_each(list_in(*report, list), add);
    return;
  }
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty()) continue;
    const auto finding = read_json(line);
    if (!finding || !(finding->contains("fingerprint") || finding->contains("statistics"))) refuse(path);
    add(*finding);
  }
}

void Baseline::mark(Json& document) const {
  for (const char* list : {"incidents", "unknown", "groups"}) {
    if (!document.contains(list)) continue;
    for (Json& finding : document[list]) finding["known"] = fingerprints_.contains(text_in(finding, "fingerprint"));
  }
}

std::string_view worst_new(const Json& document) {
  std::string_view worst;
  const auto take = [&](std::string_view severity) {
    if (severity_rank(severity) > severity_rank(worst)) worst = severity;
  };
  for (const Json& incident : list_in(document, "incidents")) {
    if (!flag_in(incident, "known")) take(text_in(incident, "severity"));
  }
  for (const Json& unknown : list_in(document, "unknown")) {
    if (!flag_in(unknown, "known")) take("error");
  }
  return worst;
}

}  // namespace cutopsy
