// The exit status that a terminal shows below `echo $?`.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kShellStatusParser;

}  // namespace cutopsy
