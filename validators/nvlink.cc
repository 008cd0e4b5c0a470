#include "validators/nvlink.h"

#include <algorithm>

namespace cutopsy {

namespace {

constexpr unsigned kInactive = 0;  // NVML_NVLINK_STATE_INACTIVE; 1 is active, 2 asleep

}  // namespace

NvmlResult<std::vector<bool>> active_nvlinks(const Nvml& nvml, NvmlDevice device) {
  NvmlResult<std::vector<bool>> links;
  const auto count = nvml.field(device, kNvmlFieldNvLinkCount);
  if (!count.ok() && !count.status.unsupported()) {
    links.status = count.status;
    return links;
  }
  const unsigned most =
      count.ok() ? static_cast<unsigned>(std::min<std::uint64_t>(count.value, kNvmlMaxLinks)) : kNvmlMaxLinks;
  for (unsigned link = 0; link < most; ++link) {
    const auto state = nvml.field(device, kNvmlFieldNvLinkState, link);
    unsigned active = state.value == kInactive ? 0 : 1;
    NvmlStatus status = state.status;
    if (status.unsupported()) status = nvml.DeviceGetNvLinkState(device, link, &active);
    if (status.unsupported() || status.code == kNvmlInvalidArgument) break;  // there are no more
    if (!status.ok()) {
      links.status = status;
      return links;
    }
    links.value.push_back(active != 0);
  }
  return links;
}

}  // namespace cutopsy
