// Which devices a process sees: CUDA_VISIBLE_DEVICES, CUDA_DEVICE_ORDER and MIG, as the driver treats them.
//
// CUDA programming guide, "CUDA environment variables"; MIG user guide, "Device enumeration". A repeated entry empties
// the list: so torch/cuda/__init__.py of PyTorch describes the driver.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cutopsy::fake {

struct PhysicalDevice {
  std::string uuid;              ///< "GPU-…"
  std::vector<std::string> mig;  ///< UUIDs of its MIG devices
  bool mig_enabled = false;
  int speed = 0;  ///< for the order "fastest first"
};

struct VisibleDevice {
  std::size_t physical = 0;
  std::string uuid;  ///< "GPU-…" or "MIG-…"
};

/// `visible` and `order` are the variables' values, nullptr when unset.
std::vector<VisibleDevice> visible_devices(const std::vector<PhysicalDevice>& machine, const char* visible,
                                           const char* order);

}  // namespace cutopsy::fake
