#include <array>
#include <string>
#include <string_view>

#include "validators/checks/checks.h"
#include "validators/nvidia_module.h"
#include "validators/pci_devices.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 1> kBlockedBy = {"module-loaded"};

Answer ask(const Inquiry& inquiry) {
  const auto gpus = nvidia_gpus(inquiry.host);
  if (gpus.empty()) return Answer::not_applicable("there is no NVIDIA GPU on the PCI bus");
  const auto module = nvidia_module(inquiry.host);
  if (!module || !module->open) return Answer::could_not_run("/proc/driver/nvidia/version cannot be read");
  const std::string flavour = *module->open ? "open" : "closed";
  for (const PciDevice& gpu : gpus) {
    if (*module->open ? !gpu.is_before_turing() : !gpu.is_blackwell_or_later()) continue;
    return Answer::yes("the " + flavour + " kernel module does not serve GPU " + gpu.address,
                       *module->open ? "Install the closed module: GPUs before Turing have no GSP for the open one."
                                     : "Install the open module (nvidia-open): Blackwell and later work with no other.")
        .with("module", flavour)
        .with("module_version", module->version);
  }
  return Answer::no("the " + flavour + " kernel module serves all GPUs here")
      .with("module", flavour)
      .with("module_version", module->version);
}

}  // namespace

extern const Check kModuleFlavour = {
    .name = "module-flavour",
    .question = "Is the kernel module of the wrong kind (open or closed) for a GPU?",
    .decision =
        "yes when the open module meets a GPU before Turing (device id below 0x1e00) or the closed one a "
        "Blackwell or later (from 0x2900)",
    .check_class = CheckClass::state,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
