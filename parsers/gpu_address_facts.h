// Facts that say at which PCI address a rank, a process or an index finds its GPU. The kernel knows GPUs by address
// only, the job's own lines by rank, process or index.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kGpuAddressFactsParser;

}  // namespace cutopsy
