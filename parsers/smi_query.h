// Facts from nvidia-smi -q that stand under a heading of their own: modes and the size of the memory.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kSmiQueryParser;

}  // namespace cutopsy
