// Tells a report from a mention: log lines also quote source code and advise on errors that did not happen.
#pragma once

#include <string_view>

namespace cutopsy {

/// True when the words before a phrase show that the line only speaks of it: `raise RuntimeError("`, `if "`,
/// "to avoid", "such as".
bool only_mentioned(std::string_view before);

}  // namespace cutopsy
