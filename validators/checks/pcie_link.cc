#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/surroundings.h"

namespace cutopsy {

namespace {

constexpr unsigned kLoaded = 10;  // percent: an idle link sleeps in a slow state
constexpr unsigned kPassthrough = 1;
constexpr unsigned kVgpu = 2;

struct Link {
  unsigned generation = 0;
  unsigned most_generation = 0;
  unsigned width = 0;
  unsigned most_width = 0;
};

bool is_virtual(const Nvml& nvml, NvmlDevice device, const Host& host) {
  unsigned mode = 0;
  const bool known = nvml.DeviceGetVirtualizationMode(device, &mode).ok();
  return (known && (mode == kPassthrough || mode == kVgpu)) || in_virtual_machine(host) || in_wsl(host);
}

Answer judge(const Link& link, const NvmlResult<unsigned>& load) {
  const std::string seen = "generation " + std::to_string(link.generation) + " of " +
                           std::to_string(link.most_generation) + ", width " + std::to_string(link.width) + " of " +
                           std::to_string(link.most_width);
  if (link.generation >= link.most_generation && link.width >= link.most_width) return Answer::no(seen);
  if (!load.ok() || load.value < kLoaded) {
    return Answer::undecided(seen + "; an idle link may rest in a slower state", "Look again while the GPU works.");
  }
  return Answer::yes(seen + ", while the GPU works",
                     "Reseat the GPU or riser; read the kernel log for PCIe (AER) errors; check the slot and BIOS.");
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry& inquiry) {
  if (is_virtual(nvml, device, inquiry.host)) {
    return Answer::not_applicable("in a virtual machine the link that is shown is not the hardware's");
  }
  Link link;
  for (const NvmlStatus& status : {nvml.DeviceGetCurrPcieLinkGeneration(device, &link.generation),
                                   nvml.DeviceGetMaxPcieLinkGeneration(device, &link.most_generation),
                                   nvml.DeviceGetCurrPcieLinkWidth(device, &link.width),
                                   nvml.DeviceGetMaxPcieLinkWidth(device, &link.most_width)}) {
    if (!status.ok()) return unanswered(status);
  }
  return judge(link, nvml.utilization(device))
      .with("generation", std::to_string(link.generation))
      .with("width", std::to_string(link.width));
}

}  // namespace

extern const Check kPcieLink = {
    .name = "pcie-link",
    .question = "Is the GPU's PCIe link narrower or slower than GPU and slot allow?",
    .decision =
        "yes when the link's generation or width is below the maximum while the GPU works; unknown when it is "
        "idle, and in virtual machines",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
