// SXids: the errors of NVSwitches, from the kernel log or from the fabric manager.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kSxidParser;

}  // namespace cutopsy
