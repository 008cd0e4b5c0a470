// All dialects. A new one is a file in parsers/ and a row in registry.cc.
#pragma once

#include <span>

#include "parsers/parser.h"

namespace cutopsy {

std::span<const LineParser> line_parsers();
std::span<const RecordParser> record_parsers();

}  // namespace cutopsy
