// Reports and summaries of compute-sanitizer and of its predecessor cuda-memcheck.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

/// One event per report, with the frame, thread and address of its continuation lines.
extern const RecordParser kSanitizerParser;
/// The closing summaries, zero counts included.
extern const LineParser kSanitizerSummaryParser;

}  // namespace cutopsy
