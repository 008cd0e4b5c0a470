// The kernel's line for a fault that the NVIDIA driver reports:
// https://docs.nvidia.com/deploy/xid-errors/working-with-xid-errors.html
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cutopsy {

struct XidLine {
  std::string address;  ///< "0000:18:00.0"
  int number = 0;
};

/// Reads "NVRM: Xid (PCI:0000:18:00 GPU-I:05): 94, ...", on old drivers without "PCI:"; no value for another line.
std::optional<XidLine> xid_line(std::string_view line);

}  // namespace cutopsy
