// Kernels that go wrong on purpose, each in one known way. What becomes of them tells whether a machine reports faults.
//
// Each takes no memory and, on a device that does as it should, ends by itself.
#pragma once

#include "kernels/machine.h"

namespace cutopsy::kernels {

/// Fails an assertion in the first thread.
template <typename Machine>
CUTOPSY_DEVICE void fail_assertion(Machine& machine) {
  machine.each([&](unsigned thread) {
    if (thread_of_grid(machine, thread) == 0)
      machine.fail_assertion(thread, "made_to_fail", "kernels/fault.h", __LINE__, "cutopsy_fault_assert");
  });
}

/// Stores four bytes at an address that the caller knows to be bad.
template <typename Machine>
CUTOPSY_DEVICE void store_at(Machine& machine, std::uint64_t address) {
  machine.each([&](unsigned thread) {
    if (thread_of_grid(machine, thread) == 0) machine.store(reinterpret_cast<std::uint32_t*>(address), 0xFA017u);
  });
}

/// Keeps one thread busy for a time, by the device's clock. At most `rounds` readings of the clock: one that stands
/// still keeps no device busy for ever.
template <typename Machine>
CUTOPSY_DEVICE void spin(Machine& machine, std::uint64_t nanoseconds, std::uint64_t rounds) {
  machine.each([&](unsigned thread) {
    if (thread_of_grid(machine, thread) != 0) return;
    const std::uint64_t start = machine.nanoseconds();
    for (std::uint64_t round = 0; round < rounds && machine.nanoseconds() - start < nanoseconds; ++round) {
    }
  });
}

}  // namespace cutopsy::kernels
