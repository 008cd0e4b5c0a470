#include <algorithm>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/pci_devices.h"
#include "validators/surroundings.h"

namespace cutopsy {

namespace {

// Intel's and AMD's units; on Arm's (smmu3) coherent GPUs are meant to work translated.
bool is_x86_unit(const std::string& name) {
  return name.starts_with("dmar") || name.starts_with("ivhd");
}

Answer ask(const Inquiry& inquiry) {
  const Host& host = inquiry.host;
  const auto gpus = nvidia_gpus(host);
  if (gpus.size() < 2) return Answer::not_applicable("there are not two NVIDIA GPUs on the PCI bus");
  if (in_virtual_machine(host)) return Answer::could_not_run("the IOMMU of the machine beneath cannot be seen");
  if (host.list("/sys/kernel/iommu_groups").empty()) return Answer::no("no IOMMU is on");
  const auto units = host.list("/sys/class/iommu");
  if (std::none_of(units.begin(), units.end(), is_x86_unit)) {
    return Answer::undecided("an IOMMU is on that is neither Intel's nor AMD's");
  }
  for (const PciDevice& gpu : gpus) {
    // https://docs.kernel.org/admin-guide/abi-testing.html, /sys/kernel/iommu_groups/<id>/type: identity, DMA, DMA-FQ
    const auto type = host.value(gpu.folder() + "/iommu_group/type");
    if (!type) return Answer::could_not_run("how the IOMMU treats GPU " + gpu.address + " cannot be read");
    if (!type->starts_with("DMA")) continue;
    return Answer::yes("the IOMMU translates what GPU " + gpu.address + " sends to others (" + *type + ")",
                       "Boot with iommu=pt, or switch the IOMMU off; without root, try NCCL_P2P_DISABLE=1.")
        .with("domain_type", *type);
  }
  return Answer::no("the IOMMU passes the GPUs through");
}

}  // namespace

extern const Check kIommu = {
    .name = "iommu",
    .question = "Does the IOMMU stand between the GPUs?",
    .decision =
        "yes when there are two GPUs and Intel's or AMD's IOMMU translates for one (domain type DMA or DMA-FQ): "
        "copies between them may then hang, corrupt or crawl; unknown in virtual machines and on other IOMMUs",
    .check_class = CheckClass::state,
    .on_request = true,  // only where peer copies fail does it matter
    .ask = ask,
};

}  // namespace cutopsy
