// The checks, each defined in the file that has its name.
#pragma once

#include "validators/check.h"

namespace cutopsy {

extern const Check kShmSize;

}  // namespace cutopsy
