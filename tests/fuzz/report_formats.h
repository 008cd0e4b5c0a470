// Every format of a report, and what holds for each whatever the report says.
#pragma once

#include "engine/report/json.h"
#include "engine/rule/rule_set.h"

namespace cutopsy {

/// Writes `document` in all formats and reads each as those would for whom it is made. `document` may come from a file
/// that nobody vouches for.
void check_formats(const Json& document, const RuleSet& rules);

}  // namespace cutopsy
