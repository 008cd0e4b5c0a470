// GPU exceptions that stop a program under cuda-gdb, live or in a core dump.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kCudaGdbParser;

}  // namespace cutopsy
