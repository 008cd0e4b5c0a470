// Facts about how a job or a process of it ended: exit code, signal, the platform's reason, and success.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kEndingFactsParser;

}  // namespace cutopsy
