// The collective that a rank hangs in, as PyTorch's flight recorder shows it: the stack trace below a watchdog's
// timeout, and dumps in JSON. Each becomes one nccl.collective.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kCollectiveStackParser;
extern const LineParser kFlightRecorderParser;

}  // namespace cutopsy
