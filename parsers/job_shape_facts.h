// Facts about where and how a job runs: ranks, hosts, transports, container, scheduler, operating system.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kJobShapeFactsParser;

}  // namespace cutopsy
