// Facts from nvidia-smi --query-gpu=... --format=csv: a header that names the columns, then a row a GPU.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kSmiCsvParser;

}  // namespace cutopsy
