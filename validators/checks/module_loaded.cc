#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/nvidia_module.h"
#include "validators/pci_devices.h"
#include "validators/surroundings.h"

namespace cutopsy {

namespace {

// As NVIDIA's installer and the distributions name the file, before any compression's ending.
constexpr std::array<std::string_view, 2> kModuleFiles = {"/nvidia.ko", "/nvidia-current.ko"};

// Whether depmod's list for the running kernel has the module; no value when there is no list, as in containers.
std::optional<bool> is_installed(const Host& host) {
  const auto release = host.value("/proc/sys/kernel/osrelease");
  if (!release || release->find('/') != std::string::npos) return std::nullopt;
  const auto list = host.read("/lib/modules/" + *release + "/modules.dep");
  if (!list) return std::nullopt;
  return std::any_of(kModuleFiles.begin(), kModuleFiles.end(),
                     [&](std::string_view file) { return list->find(file) != std::string::npos; });
}

Answer missing(const Host& host, const PciDevice& gpu) {
  const std::string seen = "GPU " + gpu.address + " is on the PCI bus, but NVIDIA's kernel module is not loaded";
  const auto installed = is_installed(host);
  if (!installed) return Answer::yes(seen, "Load it on the machine itself: modprobe nvidia; then look at dmesg.");
  if (!*installed) {
    return Answer::yes(seen + " and not installed for the running kernel",
                       "Install the driver, or build its module for this kernel (dkms autoinstall).");
  }
  return Answer::yes(seen + " although it is installed", "modprobe nvidia; if that fails, dmesg says why.");
}

Answer ask(const Inquiry& inquiry) {
  if (in_wsl(inquiry.host)) return Answer::not_applicable("under WSL the kernel module is Windows' own");
  const auto gpus = nvidia_gpus(inquiry.host);
  const auto module = nvidia_module(inquiry.host);
  if (module) {
    // A copy may have followed the link, or kept it without what it leads to.
    const auto unbound = [&](const PciDevice& gpu) {
      return gpu.driver.empty() && !inquiry.host.exists(gpu.folder() + "/driver");
    };
    const auto left_out = std::count_if(gpus.begin(), gpus.end(), unbound);
    const std::string seen = "NVIDIA's kernel module " + module->version + " is loaded";
    if (left_out == 0) return Answer::no(seen).with("module_version", module->version);
    const std::string address = std::find_if(gpus.begin(), gpus.end(), unbound)->address;
    const char* const advice = "dmesg says why the module refused it (NVRM lines).";
    if (left_out < static_cast<long>(gpus.size())) {
      return Answer::undecided(seen + ", but has not taken GPU " + address, advice);
    }
    return Answer::yes(seen + ", but has taken no GPU", advice);
  }
  if (gpus.empty()) return Answer::not_applicable("there is no NVIDIA GPU on the PCI bus");
  return missing(inquiry.host, gpus.front());
}

}  // namespace

extern const Check kModuleLoaded = {
    .name = "module-loaded",
    .question = "Is NVIDIA's kernel module missing?",
    .decision =
        "yes when an NVIDIA GPU is on the PCI bus and the module is not loaded or has taken none; not "
        "applicable without such a GPU and on WSL",
    .check_class = CheckClass::transient,
    .ask = ask,
};

}  // namespace cutopsy
