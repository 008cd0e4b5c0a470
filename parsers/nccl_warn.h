// NCCL (and RCCL) WARN lines. Which of them are harmless is for rules to say.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kNcclWarnParser;

}  // namespace cutopsy
