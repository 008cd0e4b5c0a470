// How far a GPU has come in joining its NVLink fabric, by the newest form that the driver knows.
#pragma once

#include <optional>

#include "validators/nvml.h"

namespace cutopsy {

struct FabricInfo {
  unsigned state = kNvmlFabricNone;     ///< NvmlFabricState
  int status = kNvmlSuccess;            ///< meaningful once the state is kNvmlFabricDone
  std::optional<unsigned> health_mask;  ///< NVML_GPU_FABRIC_HEALTH_MASK_* in nvml.h; from R550 on
  std::optional<unsigned> summary;      ///< NVML_GPU_FABRIC_HEALTH_SUMMARY_*; from R580 on
};

NvmlResult<FabricInfo> fabric_info(const Nvml& nvml, NvmlDevice device);

}  // namespace cutopsy
