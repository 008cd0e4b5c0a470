// Processes killed for lack of host memory: by the kernel, a control group, a user-space guard or a scheduler.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kOomKillParser;

}  // namespace cutopsy
