// What stands between the files of /proc and /sys and the hardware: WSL, a virtual machine, a container.
#pragma once

#include "validators/host.h"

namespace cutopsy {

/// Windows' subsystem: the GPU is /dev/dxg, its driver Windows'; no kernel module of NVIDIA's and no PCI function.
bool in_wsl(const Host& host);

/// A virtual machine, whose PCI bridges, link widths and IOMMU are not those of the hardware. x86 only: elsewhere the
/// kernel says nothing.
bool in_virtual_machine(const Host& host);

}  // namespace cutopsy
