// What the machine said of an incident, as part of the JSON report.
#pragma once

#include "engine/confirm/hypothesis.h"
#include "engine/report/json.h"

namespace cutopsy {

Json hypothesis_json(const Hypothesis& hypothesis);

}  // namespace cutopsy
