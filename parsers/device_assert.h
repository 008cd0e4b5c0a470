// Assertions that failed on the GPU.
//
// One line per thread, so thousands of them, glued to progress bars and written into each other by several
// processes. A line gives one `torch.device_assert` event for each assertion that is whole.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kDeviceAssertParser;

}  // namespace cutopsy
