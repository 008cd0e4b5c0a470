// The report as GitHub's workflow commands: printed by a step, they become annotations of its run.
// https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message
#pragma once

#include <string>

#include "engine/report/json.h"

namespace cutopsy {

/// GitHub shows this many annotations of each level for a step.
inline constexpr std::size_t kMaxAnnotations = 10;

/// One command for each row or incident, errors first; where a level has more than GitHub shows, its last one says how
/// many are left out. What a baseline knows is a notice. No text of the log can form a command of its own.
std::string github_report(const Json& document);

}  // namespace cutopsy
