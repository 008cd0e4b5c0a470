// Which of a GPU's NVLinks carry data.
#pragma once

#include <vector>

#include "validators/nvml.h"

namespace cutopsy {

/// One for each link that the GPU has, whether it is active; one that sleeps to save power counts as active. Empty for
/// a GPU without links.
NvmlResult<std::vector<bool>> active_nvlinks(const Nvml& nvml, NvmlDevice device);

}  // namespace cutopsy
