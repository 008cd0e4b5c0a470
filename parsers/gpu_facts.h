// Facts about the GPUs: model, memory, capability, modes, and which of them a line speaks of.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kGpuFactsParser;

}  // namespace cutopsy
