// The list of failed ranks that torchrun prints in the message of a ChildFailedError. Each becomes one
// launcher.rank_failed.
#pragma once

#include "parsers/parser.h"

namespace cutopsy {

extern const RecordParser kTorchrunFailuresParser;

}  // namespace cutopsy
