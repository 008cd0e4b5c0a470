// What PyTorch prints of an assertion on the GPU when it is built with TORCH_USE_CUDA_DSA: a block that becomes one
// torch.device_assert.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kDeviceAssertReportParser;

}  // namespace cutopsy
