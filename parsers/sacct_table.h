// Facts from Slurm's table of finished jobs (sacct).
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kSacctTableParser;

}  // namespace cutopsy
