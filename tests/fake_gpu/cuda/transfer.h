// Copies between the memories of hosts and simulated GPUs, and what goes wrong on the way.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tests/fake_gpu/cuda/driver.h"

namespace cutopsy::fake {

/// Copies while the devices' memory is open. An address outside of every device's memory is the host's. Throws
/// DeviceException.
void transfer(const Driver& driver, std::uint64_t to, std::uint64_t from, std::size_t bytes);

}  // namespace cutopsy::fake
