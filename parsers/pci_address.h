// PCI addresses: drivers, NVML and the fabric manager print the same function in different widths.
#pragma once

#include <string>
#include <string_view>

namespace cutopsy {

/// "dddd:bb:dd.f" for "0000:18:00", "00000000:86:00.0", "PCI:0000:86:00", "02:00.0", the X server's decimal
/// "PCI:24:0:0",
/// ...; "" when `printed` is no PCI address.
std::string canonical_pci_address(std::string_view printed);

/// "dddd:bb:dd.f" for the busId that NCCL prints: the digits of the address in one hexadecimal number, 18000 for
/// 0000:18:00.0; "" when `printed` is none.
std::string pci_address_of_bus_id(std::string_view printed);

}  // namespace cutopsy
