// Reads what `--format jsonl` wrote, here or elsewhere: files that nobody vouches for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/report/json.h"

namespace cutopsy {

/// A value of JSON, its texts made printable; nothing when `text` is no JSON, or nested deeper than reports are.
std::optional<Json> read_json(std::string_view text);

/// A line of a file is longer than this only by mistake.
inline constexpr std::size_t kMaxReportLine = 16 << 20;

/// Calls `see` for each line of a file (or of standard input, "-") that is an object of JSON, and `complain` with a
/// message for each that is not, or for which `see` returns false. Empty lines do not count. Throws SourceError.
void read_report_lines(const std::string& path, const std::function<bool(Json)>& see,
                       const std::function<void(const std::string&)>& complain);

}  // namespace cutopsy
