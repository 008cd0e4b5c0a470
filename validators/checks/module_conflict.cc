#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "validators/checks/checks.h"
#include "validators/pci_devices.h"

namespace cutopsy {

namespace {

struct Rival {
  std::string_view driver;
  const char* advice;
};

constexpr const char* kBlacklist =
    "Blacklist it (/etc/modprobe.d), build the initramfs again and reboot; the driver's packages do so by themselves.";
constexpr const char* kPassedThrough =
    "The GPU is set aside for a virtual machine: ask inside that one, or take the GPU out of vfio's list and reboot.";

constexpr std::array kRivals = {
    Rival{"nouveau", kBlacklist},         Rival{"nova_core", kBlacklist},    Rival{"nova-core", kBlacklist},
    Rival{"NovaCore", kBlacklist},        Rival{"vfio-pci", kPassedThrough}, Rival{"pci-stub", kPassedThrough},
    Rival{"xen-pciback", kPassedThrough}, Rival{"pciback", kPassedThrough},
};

Answer ask(const Inquiry& inquiry) {
  const auto gpus = nvidia_gpus(inquiry.host);
  if (gpus.empty()) return Answer::not_applicable("there is no NVIDIA GPU on the PCI bus");
  bool all_taken = true;
  for (const PciDevice& gpu : gpus) {
    const auto rival =
        std::find_if(kRivals.begin(), kRivals.end(), [&](const Rival& row) { return row.driver == gpu.driver; });
    if (rival != kRivals.end()) {
      return Answer::yes("GPU " + gpu.address + " is held by the driver " + gpu.driver, rival->advice)
          .with("driver", gpu.driver);
    }
    all_taken = all_taken && gpu.driver == "nvidia";
  }
  if (!all_taken) return Answer::undecided("a GPU has no driver that is known here");
  return Answer::no("all GPUs are held by NVIDIA's driver");
}

}  // namespace

extern const Check kModuleConflict = {
    .name = "module-conflict",
    .question = "Does another kernel driver hold a GPU?",
    .decision = "yes when nouveau, nova, vfio-pci or another stub is bound to it; unknown when nothing is",
    .check_class = CheckClass::state,
    .ask = ask,
};

}  // namespace cutopsy
