// Profiles printed by nvprof, nsys and ncu: one event per profile, with shares instead of rows.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kNvprofParser;

}  // namespace cutopsy
