// Which GPU is meant: its names at every layer.
#pragma once

#include <cstdint>
#include <string>

namespace cutopsy {

struct Gpu {
  std::string index;               ///< as NVML and nvidia-smi number it, e.g. "0"; "" when only its address is known
  std::string uuid;                ///< "GPU-…" or "MIG-…"; "" when unknown
  std::string pci_address;         ///< "0000:3b:00.0" (domain with four digits, lower case); "" when unknown
  std::string name;                ///< "NVIDIA H200"; "" when unknown
  std::string compute_capability;  ///< "9.0"; "" when unknown
  std::uint64_t memory_bytes = 0;
  bool busy = false;        ///< another process computes on it
  std::string busy_detail;  ///< who: "process 4242 (python) holds 4.2 GiB"
};

}  // namespace cutopsy
