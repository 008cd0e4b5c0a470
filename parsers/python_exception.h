// Python exceptions: printed with a traceback (a record), or bare.
//
// A record holds a whole chain of exceptions, from the first traceback to the one that surfaced; each becomes one
// python.exception.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

/// Tracebacks of CPython, IPython, rich, loguru, exception groups, workers' tracebacks inside messages, and Ray's task
/// errors.
extern const RecordParser kPythonExceptionParser;

/// 'RuntimeError: CUDA error: ...' without a traceback around it, for classes that cannot be prose.
extern const LineParser kBareExceptionParser;

}  // namespace cutopsy
