// How much a run read and what came of it: numbers that add up over runs.
#pragma once

#include <string_view>

#include "engine/batch.h"
#include "engine/report/json.h"

namespace cutopsy {

Json statistics_json(const Batch& batch);

/// Adds the numbers of another run; members that statistics do not have are left out.
void add_statistics(Json& sum, const Json& more);

/// "clean", "warning", "failure"
std::string_view outcome_name(Outcome outcome);

}  // namespace cutopsy
