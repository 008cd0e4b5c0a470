// An Xid as the NVIDIA driver writes it to the kernel log: "NVRM: Xid (PCI:0000:18:00 GPU-I:05): 94, ...", on old
// drivers without "PCI:". https://docs.nvidia.com/deploy/xid-errors/
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cutopsy {

struct Xid {
  std::string address;  ///< "0000:18:00.0"
  int number = 0;
};

/// No value when the line speaks of none.
std::optional<Xid> xid_in(std::string_view line);

}  // namespace cutopsy
