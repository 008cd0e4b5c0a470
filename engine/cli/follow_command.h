// `cutopsy --follow FILE...`: watches logs that are still written, and tells of each fault as it comes.
#pragma once

#include <string>
#include <vector>

#include "engine/match/rule_index.h"

namespace cutopsy {

/// Follows the files, and "-" to its end, until SIGINT or SIGTERM; one JSON line each alert to standard output.
/// `metrics`: a file for Prometheus, or "". Returns the exit status: 0 ended as asked, 2 when an input or output
/// failed.
int follow(const std::vector<std::string>& inputs, const std::string& metrics, const RuleIndex& index);

}  // namespace cutopsy
