// PyTorch's OOM messages that take several lines: those that a terminal or an editor wrapped, and those of the
// cudaMallocAsync allocator. The lines are put together before they are read, since one gpu.oom needs all numbers.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kMultilineOomParser;

/// True when `text` holds a part of such a message but not its end: this parser reads it, not that of single lines.
bool goes_on_below(std::string_view text);

}  // namespace cutopsy
