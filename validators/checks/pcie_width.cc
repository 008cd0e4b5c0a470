#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/pci_devices.h"
#include "validators/surroundings.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {Parameter{"pci", "the PCI address of a GPU; all GPUs when absent"}};

constexpr std::uint64_t kMostLanes = 32;  // the kernel says 255 or 63 for "unknown"

std::optional<std::uint64_t> lanes(const Host& host, const std::string& folder, const char* attribute) {
  const auto value = host.number(folder + "/" + attribute);
  return value && *value > 0 && *value <= kMostLanes ? value : std::nullopt;
}

struct Link {
  std::string gpu;
  std::uint64_t width = 0;
  std::uint64_t gpu_most = 0;
  std::uint64_t possible = 0;  // the lower of the GPU's and the slot's
};

std::optional<Link> link_of(const Host& host, const PciDevice& gpu) {
  const auto width = lanes(host, gpu.folder(), "current_link_width");
  const auto most = lanes(host, gpu.folder(), "max_link_width");
  if (!width || !most) return std::nullopt;
  Link link{gpu.address, *width, *most, *most};
  if (const auto above = bridges_above(host, gpu); !above.empty()) {
    const auto slot = lanes(host, "/sys/bus/pci/devices/" + above.back(), "max_link_width");
    link.possible = std::min(link.possible, slot.value_or(link.possible));
  }
  return link;
}

Answer ask(const Inquiry& inquiry) {
  const Host& host = inquiry.host;
  auto gpus = nvidia_gpus(host);
  if (const auto printed = inquiry.parameters.text("pci")) {
    std::erase_if(gpus, [&](const PciDevice& gpu) { return gpu.address != pci_address(*printed); });
  }
  if (gpus.empty()) return Answer::not_applicable("there is no such NVIDIA GPU on the PCI bus");
  if (in_virtual_machine(host))
    return Answer::could_not_run("in a virtual machine the links shown are not the real ones");
  std::string seen;
  for (const PciDevice& gpu : gpus) {
    const auto link = link_of(host, gpu);
    if (!link) return Answer::could_not_run("the link width of GPU " + gpu.address + " cannot be read");
    const std::string width = gpu.address + " runs x" + std::to_string(link->width);
    if (link->width < link->possible) {
      return Answer::yes("GPU " + width + " of x" + std::to_string(link->possible) + " that it and its slot could",
                         "Seat the GPU and its riser again and clean the contacts; if it stays, try another slot.")
          .with("pci_address", gpu.address)
          .with("link_width", std::to_string(link->width))
          .with("link_speed", host.value(gpu.folder() + "/current_link_speed").value_or("unknown"));
    }
    seen += (seen.empty() ? "GPU " : ", ") + width;
    if (link->possible < link->gpu_most) seen += " as its slot has no more";
  }
  return Answer::no(seen);
}

}  // namespace

extern const Check kPcieWidth = {
    .name = "pcie-width",
    .question = "Does a GPU run on fewer PCIe lanes than it could?",
    .decision =
        "yes when current_link_width is below max_link_width of both the GPU and the port above it; the speed is "
        "no evidence, an idle link sleeps at a low one; unknown in virtual machines",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
