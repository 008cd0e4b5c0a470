#include "validators/fabric.h"

namespace cutopsy {

NvmlResult<FabricInfo> fabric_info(const Nvml& nvml, NvmlDevice device) {
  NvmlFabricInfoV3 third{};
  third.version = nvml_version<NvmlFabricInfoV3>(3);
  NvmlStatus status = nvml.DeviceGetGpuFabricInfoV(device, &third);
  if (status.ok()) return {{third.state, third.status, third.health_mask, third.health_summary}, status};
  NvmlFabricInfoV2 second{};
  second.version = nvml_version<NvmlFabricInfoV2>(2);
  if (status.code == kNvmlArgumentVersionMismatch) status = nvml.DeviceGetGpuFabricInfoV(device, &second);
  if (status.ok()) return {{second.state, second.status, second.health_mask, std::nullopt}, status};
  NvmlFabricInfoV1 first{};
  if (status.code == kNvmlSymbolMissing) status = nvml.DeviceGetGpuFabricInfo(device, &first);
  return {{first.state, first.status, std::nullopt, std::nullopt}, status};
}

}  // namespace cutopsy
