// NVIDIA's devices on the PCI bus, as the kernel lists them: seen without any driver.
//
// From /sys/bus/pci/devices (https://docs.kernel.org/PCI/sysfs-pci.html). On WSL and where a container hides /sys the
// bus shows no GPU although CUDA may have one. Device ids by family:
// https://envytools.readthedocs.io/en/latest/hw/pciid.html and, for later ones, the list in
// https://github.com/NVIDIA/open-gpu-kernel-modules README.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "validators/host.h"

namespace cutopsy {

struct PciDevice {
  std::string address;           ///< "0000:3b:00.0"
  std::uint16_t device = 0;      ///< the device id: 0x2330
  std::uint32_t class_code = 0;  ///< base class, subclass, interface: 0x030200
  std::string driver;            ///< the kernel driver that is bound to it; "" when none

  /// Where its files are, without a slash at the end.
  std::string folder() const { return "/sys/bus/pci/devices/" + address; }
  bool is_gpu() const { return class_code >> 16 == 0x03; }         ///< display controller: VGA or 3D
  bool is_nvswitch() const { return class_code >> 8 == 0x0680; }   ///< bridge of another kind
  bool is_before_turing() const { return device < 0x1e00; }        ///< Volta and older: no open kernel module
  bool is_blackwell_or_later() const { return device >= 0x2900; }  ///< the open kernel module only
};

/// All of NVIDIA's, by address: also audio and USB functions.
std::vector<PciDevice> nvidia_devices(const Host& host);
/// Those of them that compute or display.
std::vector<PciDevice> nvidia_gpus(const Host& host);

/// The addresses of the bridges between a device and the CPU, the CPU's port first, from where the device's link in
/// /sys leads ("../../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0"); empty in a copy without links.
std::vector<std::string> bridges_above(const Host& host, const PciDevice& device);

/// "0000:3b:00.0" for an address in any of the widths that drivers, NVML and nvidia-smi print ("00000000:3B:00.0",
/// "PCI:0000:3b:00", "3b:00.0"); "" when `printed` is none.
std::string pci_address(std::string_view printed);

}  // namespace cutopsy
