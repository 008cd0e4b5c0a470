// The table that PyTorch's profiler prints (torch.profiler, key_averages().table()): one nvprof.summary event per
// table.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kTorchProfileParser;

}  // namespace cutopsy
