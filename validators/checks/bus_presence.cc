#include <algorithm>
#include <array>
#include <string>

#include "validators/checks/checks.h"
#include "validators/pci_devices.h"
#include "validators/surroundings.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {Parameter{"pci", "the PCI address of a GPU that was there; all GPUs when absent"}};

constexpr const char* kAdvice =
    "Drain the machine and power it off and on; a GPU that falls off again needs its slot, power and riser checked.";

Answer missing(const Host& host, const std::string& address) {
  // The bus of that number shows that it is this machine's address.
  const std::string bus = address.substr(0, address.rfind(':'));
  const std::string seen = "GPU " + address + " is not on the PCI bus";
  if (host.exists("/sys/class/pci_bus/" + bus)) return Answer::yes(seen, kAdvice);
  if (host.exists("/proc/driver/nvidia/gpus/" + address))
    return Answer::yes(seen + ", though the driver had it", kAdvice);
  return Answer::undecided(seen + ", but this machine has no bus " + bus + " either: the address may be another's");
}

// What the device itself answers now: its attributes in /sys are what the kernel read once.
// https://docs.kernel.org/PCI/sysfs-pci.html
enum class Response { alive, gone, unreadable };

Response response_of(const Host& host, const PciDevice& gpu) {
  const auto config = host.read(gpu.folder() + "/config");
  if (!config || config->size() < 2) return Response::unreadable;
  return (*config)[0] == '\xff' && (*config)[1] == '\xff' ? Response::gone : Response::alive;
}

Answer ask(const Inquiry& inquiry) {
  const Host& host = inquiry.host;
  const std::string address = pci_address(inquiry.parameters.text("pci").value_or(""));
  if (host.list("/sys/bus/pci/devices").empty() || in_wsl(host)) {
    return Answer::could_not_run("the PCI bus cannot be seen from here");
  }
  auto gpus = nvidia_gpus(host);
  if (!address.empty()) {
    std::erase_if(gpus, [&](const PciDevice& gpu) { return gpu.address != address; });
    if (gpus.empty()) return missing(host, address);
  }
  if (gpus.empty()) return Answer::not_applicable("there is no NVIDIA GPU on the PCI bus");
  for (const PciDevice& gpu : gpus) {
    const Response response = response_of(host, gpu);
    if (response == Response::alive) continue;
    if (response == Response::unreadable) return Answer::could_not_run(gpu.folder() + "/config cannot be read");
    if (host.value(gpu.folder() + "/power_state") == "D3cold") {
      return Answer::undecided("GPU " + gpu.address + " is switched off to save power (D3cold)");
    }
    return Answer::yes("GPU " + gpu.address + " does not answer: its configuration space reads 0xffff", kAdvice)
        .with("pci_address", gpu.address);
  }
  return Answer::no("every GPU asked about answers on the PCI bus").with("gpus", std::to_string(gpus.size()));
}

}  // namespace

extern const Check kBusPresence = {
    .name = "bus-presence",
    .question = "Has a GPU fallen off the PCI bus?",
    .decision =
        "yes when the vendor in its configuration space reads 0xffff, or its address is gone while its bus or "
        "the driver's entry is still there",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
