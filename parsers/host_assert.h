// Checks in host code that failed: assert() of the C libraries, TensorRT-LLM's and ggml's own. Each becomes one
// cpp.exception of type "assert".
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kHostAssertParser;

}  // namespace cutopsy
