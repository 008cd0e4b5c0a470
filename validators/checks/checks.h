// The checks, each defined in the file that has its name.
#pragma once

#include "validators/check.h"

namespace cutopsy {

extern const Check kSameMachine;
extern const Check kShmSize;

}  // namespace cutopsy
