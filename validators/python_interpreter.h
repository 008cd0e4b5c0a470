// Asks a Python interpreter for its torch. This runs a program, so only ever one that the user named; never one that a
// log names.
#pragma once

#include <optional>
#include <string>

#include "validators/parameters.h"

namespace cutopsy {

/// Parameters for checks: "site" (the folder that holds torch/), "torch_version", "runtime" (its CUDA version, absent
/// for a CPU build) and "architectures" ("sm_80,sm_90,compute_90"). No value when the interpreter cannot be run, has
/// no torch or takes more than a minute; `*why_not` then says so.
std::optional<Parameters> ask_interpreter(const std::string& path, std::string* why_not);

}  // namespace cutopsy
