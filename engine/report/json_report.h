// The JSON report, schema cutopsy/report/v1: a contract that changes only by adding.
#pragma once

#include <string>

#include "engine/batch.h"

namespace cutopsy {

/// One JSON document, two spaces of indentation, with a final newline. Any bytes in the log give valid JSON.
std::string json_report(const Batch& batch, const RuleSet& rules);

/// One incident a line (JSON Lines), each with its fingerprint.
std::string json_lines_report(const Batch& batch);

}  // namespace cutopsy
