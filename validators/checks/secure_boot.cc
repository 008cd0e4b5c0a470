#include <cstddef>
#include <optional>
#include <string>

#include "validators/checks/checks.h"
#include "validators/nvidia_module.h"
#include "validators/pci_devices.h"

namespace cutopsy {

namespace {

// Four bytes of attributes, then the value: https://docs.kernel.org/filesystems/efivarfs.html; the name with the GUID
// of global variables from the UEFI specification.
constexpr const char* kVariable = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";
constexpr std::size_t kValueAt = 4;

// No value when it cannot be seen: containers hide /sys/firmware.
std::optional<bool> secure_boot(const Host& host) {
  if (const auto variable = host.read(kVariable)) {
    if (variable->size() <= kValueAt) return std::nullopt;
    return (*variable)[kValueAt] == 1;
  }
  const bool has_firmware = !host.list("/sys/firmware").empty();
  if (has_firmware && !host.exists("/sys/firmware/efi")) return false;  // booted by a BIOS
  return std::nullopt;
}

Answer ask(const Inquiry& inquiry) {
  if (nvidia_module(inquiry.host)) return Answer::no("NVIDIA's kernel module is loaded: Secure Boot has let it");
  if (nvidia_gpus(inquiry.host).empty()) return Answer::not_applicable("there is no NVIDIA GPU on the PCI bus");
  const auto on = secure_boot(inquiry.host);
  if (!on)
    return Answer::could_not_run("the firmware's variables cannot be seen", "Ask on the machine itself, as root.");
  if (!*on) return Answer::no("Secure Boot is off");
  return Answer::yes("Secure Boot is on and NVIDIA's kernel module is not loaded: the kernel refuses unsigned modules",
                     "Sign the module and enrol the key (mokutil --import), use the distribution's signed packages, or "
                     "switch Secure Boot off.");
}

}  // namespace

extern const Check kSecureBoot = {
    .name = "secure-boot",
    .question = "Does Secure Boot keep NVIDIA's kernel module out?",
    .decision = "yes when the firmware has it on, a GPU is there and the module is not loaded",
    .check_class = CheckClass::state,
    .ask = ask,
};

}  // namespace cutopsy
