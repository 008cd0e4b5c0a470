#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 1> kBlockedBy = {"nvml-init"};

struct Part {
  const char* name;
  NvmlFunction<NvmlDevice, char*, unsigned> Nvml::*read;
};

constexpr Part kParts[] = {{"vBIOS", &Nvml::DeviceGetVbiosVersion}, {"infoROM", &Nvml::DeviceGetInforomImageVersion}};

using GpusByVersion = std::map<std::string, std::vector<std::string>>;

// "vBIOS 96.00 on GPU 3; vBIOS 97.00 on GPU 0, 1, 2"
std::string describe(const Part& part, const GpusByVersion& versions) {
  std::string text;
  for (const auto& [version, indices] : versions) {
    text += (text.empty() ? "" : "; ") + std::string(part.name) + " " + version + " on GPU ";
    for (const std::string& index : indices) text += (&index == indices.data() ? "" : ", ") + index;
  }
  return text;
}

Answer ask(const Inquiry& inquiry) {
  const Nvml& nvml = *inquiry.nvml;
  if (!nvml.status().ok()) return unanswered(nvml.status());
  std::map<std::string, std::vector<Gpu>> models;
  for (Gpu& gpu : nvml.gpus()) {
    if (!gpu.name.empty()) models[gpu.name].push_back(std::move(gpu));
  }
  bool compared = false;
  std::string mixed;
  for (const auto& [name, gpus] : models) {
    for (const Part& part : kParts) {
      GpusByVersion versions;
      for (const Gpu& gpu : gpus) {
        const auto device = nvml.device(gpu);
        if (!device.ok()) continue;  // gpu-lost and query-health speak of it
        std::array<char, 64> version{};
        const NvmlStatus status = (nvml.*part.read)(device.value, version.data(), version.size() - 1);
        if (!status.ok() && !status.unsupported()) return unanswered(status);
        if (status.ok()) versions[version.data()].push_back(gpu.index);
      }
      std::size_t known = 0;
      for (const auto& [version, indices] : versions) known += indices.size();
      compared = compared || known > 1;
      if (versions.size() > 1) mixed += (mixed.empty() ? "" : "; ") + name + ": " + describe(part, versions);
    }
  }
  if (!compared)
    return Answer::not_applicable("there are no two GPUs of one model here whose firmware can be compared");
  if (mixed.empty()) return Answer::no("GPUs of one model have one firmware");
  return Answer::yes(mixed, "Bring the odd GPU to its peers' firmware, or expect it to behave differently.");
}

}  // namespace

extern const Check kFirmwareMix = {
    .name = "firmware-mix",
    .question = "Do GPUs of one model have different firmware?",
    .decision = "yes when the versions of vBIOS or infoROM differ between GPUs of one model; not applicable with one",
    .check_class = CheckClass::state,
    .need = Need::nvml,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
