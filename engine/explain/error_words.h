// Whether a line says by its words that something went wrong.
#pragma once

#include "parsers/line.h"

namespace cutopsy {

/// A level of error or above, or a word such as "error", "failed" or "abort"; but neither a count of zero ("0 errors")
/// nor what launchers and shells add ("exit code 1", "make: *** [all] Error 2").
bool looks_like_error(const Line& line);

}  // namespace cutopsy
