#include <algorithm>
#include <string>

#include "validators/checks/checks.h"
#include "validators/pci_devices.h"
#include "validators/processes.h"

namespace cutopsy {

namespace {

Answer ask(const Inquiry& inquiry) {
  const auto devices = nvidia_devices(inquiry.host);
  const auto switches =
      std::count_if(devices.begin(), devices.end(), [](const PciDevice& device) { return device.is_nvswitch(); });
  if (switches == 0) return Answer::not_applicable("there is no NVSwitch on the PCI bus");
  const std::string count = std::to_string(switches);
  if (const auto daemon = find_process(inquiry.host, "nv-fabricmanager")) {
    return Answer::no("nv-fabricmanager runs as process " + std::to_string(daemon->pid)).with("nvswitches", count);
  }
  if (!shows_all_processes(inquiry.host)) {
    return Answer::could_not_run("not all processes of the machine can be seen from here", "Ask on the machine itself.")
        .with("nvswitches", count);
  }
  return Answer::yes("NVSwitches are on the PCI bus, but nv-fabricmanager does not run",
                     "systemctl start nvidia-fabricmanager; its version must be the driver's.")
      .with("nvswitches", count);
}

}  // namespace

extern const Check kFabricManager = {
    .name = "fabric-manager",
    .question = "Is the fabric manager down?",
    .decision =
        "yes when NVSwitches are on the PCI bus and no process nv-fabricmanager is there; not applicable where "
        "the bus shows none, as on Blackwell's boards",
    .check_class = CheckClass::transient,
    .ask = ask,
};

}  // namespace cutopsy
