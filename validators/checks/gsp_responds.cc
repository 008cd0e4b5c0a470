#include <algorithm>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 2> kBlockedBy = {"nvml-init", "gpu-lost"};

bool is_silence(const NvmlStatus& status) {
  return status.code == kNvmlTimeout || status.code == kNvmlUnknown;
}

Answer closed(const NvmlStatus& status) {
  return Answer::undecided("NVML cannot open the GPU: " + status.text());
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  unsigned enabled = 0;
  unsigned by_default = 0;
  const NvmlStatus mode = nvml.DeviceGetGspFirmwareMode(device, &enabled, &by_default);
  if (mode.unsupported()) return Answer::not_applicable(mode.text());
  if (mode.ok() && enabled == 0) return Answer::not_applicable("the driver runs this GPU without GSP firmware");
  std::array<char, 96> version{};
  unsigned milliwatts = 0;
  const std::array asked = {nvml.DeviceGetGspFirmwareVersion(device, version.data()), nvml.temperature(device).status,
                            nvml.DeviceGetPowerUsage(device, &milliwatts), nvml.utilization(device).status};
  const auto silent = std::count_if(asked.begin(), asked.end(), is_silence);
  const auto served = std::count_if(asked.begin(), asked.end(), [](const NvmlStatus& status) {
    return !is_silence(status) && !status.unsupported();
  });
  if (silent > 0 && served == 0) {
    return Answer::yes("no query that the firmware serves is answered: " +
                           std::find_if(asked.begin(), asked.end(), is_silence)->text(),
                       "Reset the GPU or reboot; read the kernel log for Xid 119 and 120; update the driver.");
  }
  if (served == 0) return Answer::not_applicable("no query that the firmware serves is supported here");
  return Answer::no("the firmware answers").with("gsp_firmware_version", version.data());
}

}  // namespace

extern const Check kGspResponds = {
    .name = "gsp-responds",
    .question = "Is the GPU's system processor (GSP) silent?",
    .decision =
        "yes when every query that it serves ends with a timeout (10) or an unknown error (999), or when they "
        "do not come back at all",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .deadline = std::chrono::seconds(10),
    .blocked_by = kBlockedBy,
    .hang_is_yes = true,
    .ask = ask_gpu<ask, closed>,
};

}  // namespace cutopsy
