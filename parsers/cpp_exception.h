// C++ programs that die: uncaught exceptions, c10 errors with their frames, failed CHECKs, unhandled Windows and .NET
// exceptions. One record becomes one cpp.exception.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kCppExceptionParser;

}  // namespace cutopsy
