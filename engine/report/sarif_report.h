// The report as SARIF 2.1.0, which code hosts and editors show beside the code.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/sarif-v2.1.0-errata01-os-complete.html
#pragma once

#include <string>

#include "engine/report/json.h"
#include "engine/rule/rule_set.h"

namespace cutopsy {

/// One result for each incident of a document, one rule with help for each rule among them. What `rules` does not have
/// (a report from elsewhere) is described by its incident.
std::string sarif_report(const Json& document, const RuleSet& rules);

}  // namespace cutopsy
