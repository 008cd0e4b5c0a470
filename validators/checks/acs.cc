#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "validators/checks/checks.h"
#include "validators/pci_devices.h"
#include "validators/surroundings.h"

namespace cutopsy {

namespace {

// PCI Express configuration space; names and offsets as in include/uapi/linux/pci_regs.h.
constexpr std::size_t kPlainBytes = 256;  // what lies behind is the extended part; without rights 64 are readable
constexpr std::uint32_t kAcsCapability = 0x0d;
constexpr std::size_t kAcsControl = 6;
constexpr std::uint32_t kRequestRedirect = 1U << 2;
constexpr std::uint32_t kCompletionRedirect = 1U << 3;
constexpr int kMostCapabilities = 480;  // those that fit: a list may be circular

std::uint32_t word(const std::string& bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// The ACS control register; 0 when the bridge has none.
std::uint32_t acs_control(const std::string& config) {
  std::size_t at = kPlainBytes;
  for (int i = 0; i < kMostCapabilities && at >= kPlainBytes && at + 8 <= config.size(); ++i) {
    const std::uint32_t header = word(config, at, 4);
    if ((header & 0xffff) == kAcsCapability) return word(config, at + kAcsControl, 2);
    at = header >> 20;
  }
  return 0;
}

Answer ask(const Inquiry& inquiry) {
  const Host& host = inquiry.host;
  const auto gpus = nvidia_gpus(host);
  if (gpus.size() < 2) return Answer::not_applicable("there are not two NVIDIA GPUs on the PCI bus");
  if (in_virtual_machine(host)) return Answer::could_not_run("the bridges of the machine beneath cannot be seen");
  std::set<std::string> bridges;
  for (const PciDevice& gpu : gpus) {
    const auto above = bridges_above(host, gpu);
    bridges.insert(above.begin(), above.end());
  }
  if (bridges.empty()) return Answer::undecided("there is no PCI bridge above the GPUs");
  for (const std::string& bridge : bridges) {
    const auto config = host.read("/sys/bus/pci/devices/" + bridge + "/config");
    if (!config || config->size() < kPlainBytes) {
      return Answer::could_not_run("the configuration space of bridge " + bridge + " is not readable in full",
                                   "Run as root.");
    }
    if ((acs_control(*config) & (kRequestRedirect | kCompletionRedirect)) == 0) continue;
    return Answer::yes("bridge " + bridge + " sends what GPUs send each other up to the CPU (ACS redirect)",
                       "Switch ACS off in the firmware, or by setpci for the bridges above the GPUs.")
        .with("pci_address", bridge);
  }
  return Answer::no("none of the " + std::to_string(bridges.size()) + " bridges above the GPUs redirects (ACS)");
}

}  // namespace

extern const Check kAcs = {
    .name = "acs",
    .question = "Do PCI bridges keep the GPUs from reaching each other directly (ACS)?",
    .decision =
        "yes when there are two GPUs and a bridge above one has Request or Completion Redirect set in its Access "
        "Control Services; unknown without root and in virtual machines",
    .check_class = CheckClass::state,
    .on_request = true,  // only where peer copies fail does it matter
    .ask = ask,
};

}  // namespace cutopsy
