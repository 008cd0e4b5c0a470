// Xids: the errors that the NVIDIA driver reports to the kernel log.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kXidParser;

}  // namespace cutopsy
