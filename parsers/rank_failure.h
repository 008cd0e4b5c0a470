// Launchers, schedulers and CI runners that name a process of the job that failed. Successes are no events.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kRankFailureParser;

}  // namespace cutopsy
