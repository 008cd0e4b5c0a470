// PCI addresses: drivers, NVML and the fabric manager print the same function in different widths.
#pragma once

#include <string>
#include <string_view>

namespace cutopsy {

/// "dddd:bb:dd.f" for "0000:18:00", "00000000:86:00.0", "02:00.0", ...; "" when `printed` is no PCI address.
std::string canonical_pci_address(std::string_view printed);

}  // namespace cutopsy
