// Statuses whose announcement ends a line and whose words stand on the next: MATLAB, NAMD, Thrust, rasterizers,
// macros of tutorials. Each becomes one `cuda.status` event, unless the second line alone says enough for the line
// parser.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kSplitStatusParser;

}  // namespace cutopsy
