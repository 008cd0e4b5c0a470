// CMake's errors, whose sentences are wrapped at 77 columns, joined again: `build.configure_error` events.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kCmakeMessageParser;

}  // namespace cutopsy
