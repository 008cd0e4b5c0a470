// Symbols and libraries that a linker does not find: `build.link_error` events.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kLinkErrorParser;

}  // namespace cutopsy
