// Quantities are kept as printed; rules and tools compare them in one unit. This adds the second form.
#pragma once

#include "parsers/event.h"

namespace cutopsy {

/// Adds `NAME_bytes` for the sizes (`limit`, `size`, `leaked`, ...) and `NAME_seconds` for the durations (`timeout`,
/// `waited`, `elapsed`) among `fields` whose whole value is a number with its unit. What is there already stays.
void add_unit_twins(Fields& fields);

}  // namespace cutopsy
