// A GPU that fell off the bus, told without an Xid, and the names that the driver prints of a GPU in trouble:
// `kernel.gpu_lost` events, facts.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kGpuLostParser;
extern const RecordParser kGpuLostAtProbeParser;

}  // namespace cutopsy
