// Steps of a build that failed, as the build tool tells it: `build.step_failed` events.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kBuildStepParser;
extern const RecordParser kNinjaStepParser;

}  // namespace cutopsy
