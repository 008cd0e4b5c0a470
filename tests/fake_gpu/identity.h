// Who a simulated GPU is, alike to both simulated libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/fake_gpu/scenario.h"

namespace cutopsy::fake {

struct Identity {
  std::string name;         ///< name; "Simulated GPU"
  std::string uuid;         ///< uuid; "GPU-0000000N-…" by its place in the scenario
  unsigned pci_domain = 0;  ///< pci = 0000:3b:00.0; bus N + 1
  unsigned pci_bus = 0;
  unsigned pci_device = 0;
  std::uint64_t memory_total = 0;  ///< memory.total; 64 MiB
  std::uint64_t memory_free = 0;   ///< memory.free; all of it
  int compute_major = 0;           ///< compute_capability = 9.0
  int compute_minor = 0;
};

/// Of the device that is the `index`-th of the scenario.
Identity identity(const Scenario::Section& gpu, std::size_t index);

}  // namespace cutopsy::fake
