// What the simulated libcuda tells the simulated NVML of another process: which devices are in use.
//
// A context of the N-th device locks the N-th byte of the scenario's file for reading; the lock goes with its process.
// Without a scenario nobody is told.
#pragma once

#include <cstddef>

namespace cutopsy::fake {

/// From now on, and until the process ends, the device is in use.
void mark_load(std::size_t index);
/// Whether another process uses the device.
bool is_marked(std::size_t index);

}  // namespace cutopsy::fake
