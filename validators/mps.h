// Whether CUDA programs started from here share their GPUs through the Multi-Process Service (MPS), whose clients all
// end when one of them faults: https://docs.nvidia.com/deploy/mps/
#pragma once

#include <string>

#include "validators/host.h"

namespace cutopsy {

/// What of MPS is here: a CUDA_MPS_ variable of our environment, a daemon or server that runs, the daemon's socket; ""
/// when nothing is. A daemon in another container is seen by none of these.
std::string signs_of_mps(const Host& host);

}  // namespace cutopsy
