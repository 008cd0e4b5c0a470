// The report for programs.
#pragma once

#include <string>

#include "engine/report/json.h"

namespace cutopsy {

/// The document as it is, two spaces of indentation, with a final newline.
std::string json_report(const Json& document);

/// JSON Lines (https://jsonlines.org): one incident a line, then what no rule knows, then, if wanted,
/// {"statistics": ...}. A merged document has one line for each fingerprint.
std::string json_lines_report(const Json& document, bool with_statistics = false);

}  // namespace cutopsy
