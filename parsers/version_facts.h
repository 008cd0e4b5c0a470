// Facts about versions: driver, CUDA, libraries, frameworks, Python.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kVersionFactsParser;

}  // namespace cutopsy
