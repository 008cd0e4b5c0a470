// TensorFlow's block on each GPU that it finds: facts, and how much of its memory is free.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kTensorflowDeviceParser;

}  // namespace cutopsy
