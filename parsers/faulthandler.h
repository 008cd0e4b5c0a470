// Fatal errors of the Python interpreter, with the Python frames that faulthandler prints below. Each becomes one
// python.fatal.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kFaulthandlerParser;

}  // namespace cutopsy
