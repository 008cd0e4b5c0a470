// What passes between two simulated GPUs.
#pragma once

#include <cstdint>

#include "tests/fake_gpu/cuda/device.h"

namespace cutopsy::fake {

/// Whether `key` of a device's section (p2p.access, p2p.atomics) holds towards a peer: it lists the peers by their
/// numbers in the scenario, "none" for nobody; without it, everybody but the device itself.
bool peer_listed(const Device& from, const Device& to, const char* key);

/// The bits that a transfer between two devices flips: `key` of the executing device, "DEVICE:MASK, …"; 0 for none.
std::uint64_t peer_corruption(const Device& executing, const Device& other, const char* key);

}  // namespace cutopsy::fake
