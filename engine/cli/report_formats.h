// The formats of a report by the names that --format and --output give them.
#pragma once

#include <string>
#include <vector>

#include "engine/report/json.h"
#include "engine/report/text_report.h"
#include "engine/rule/rule_set.h"

namespace cutopsy {

/// "text", "json", ...
std::vector<std::string> report_formats();

/// `format` is one of report_formats().
std::string report_in(const std::string& format, const Json& document, const RuleSet& rules, const TextStyle& style);

}  // namespace cutopsy
