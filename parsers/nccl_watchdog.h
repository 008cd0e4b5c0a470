// What the watchdog of PyTorch's ProcessGroupNCCL says of a rank: the collective that timed out (nccl.timeout), how
// far the rank came (nccl.progress), who made the ranks differ (nccl.desync).
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kNcclWatchdogParser;
extern const RecordParser kNcclDesyncParser;

}  // namespace cutopsy
