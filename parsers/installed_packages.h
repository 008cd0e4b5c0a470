// Facts from lists of installed Python packages: pip, conda, uv, and torch.utils.collect_env, which repeats them.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const LineParser kInstalledPackagesParser;

}  // namespace cutopsy
