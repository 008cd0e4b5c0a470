// A step of a build whose compiler was killed, told by the shell's one word below the command.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kKilledBuildStepParser;

}  // namespace cutopsy
