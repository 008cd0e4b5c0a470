// Facts of a job from lines that report no fault: versions, GPUs, exit codes, and whether the job ended well.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kJobFactsParser;

}  // namespace cutopsy
