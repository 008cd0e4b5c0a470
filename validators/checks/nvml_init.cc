#include <array>
#include <string>

#include "validators/checks/checks.h"
#include "validators/nvidia_module.h"
#include "validators/nvml.h"

namespace cutopsy {

namespace {

constexpr const char* kInstall =
    "Install the NVIDIA driver; start a container with the NVIDIA Container Toolkit (--gpus all).";

std::string driver_version(const Nvml& nvml) {
  std::array<char, 96> text{};
  return nvml.SystemGetDriverVersion(text.data(), text.size() - 1).ok() ? text.data() : "";
}

const char* advice_for(int code) {
  switch (code) {
    case kNvmlDriverNotLoaded:
      return "Load it (modprobe nvidia) and read the kernel log for why it was not.";
    case 12:
      return kInstall;
    case kNvmlOperatingSystem:
      return "Give the container or job the GPU's devices (device cgroup, --gpus).";
    default:
      return "Read the kernel log for messages of NVRM.";
  }
}

Answer ask(const Inquiry& inquiry) {
  const NvmlStatus& status = inquiry.nvml->status();
  const auto module = nvidia_module(inquiry.host);
  switch (status.code) {
    case kNvmlSuccess:
      return Answer::no("NVML starts").with("driver_version", driver_version(*inquiry.nvml));
    case kNvmlLibraryMissing:
      if (!module) return Answer::could_not_run("no NVIDIA driver here: " + inquiry.nvml->loader_message(), kInstall);
      return Answer::yes("the kernel module is loaded, but its library is not here: " + inquiry.nvml->loader_message(),
                         kInstall);
    case kNvmlSymbolMissing:
      return Answer::could_not_run("libnvidia-ml.so.1 is not NVIDIA's: it has no nvmlInit_v2");
    case kNvmlNoPermission:
      return Answer::could_not_run(status.text(), "Run it as a user who may open /dev/nvidiactl.");
    case kNvmlVersionMismatch:
      return Answer::could_not_run(status.text() + ": see driver-library");
    default:
      return Answer::yes(status.text(), advice_for(status.code));
  }
}

}  // namespace

extern const Check kNvmlInit = {
    .name = "nvml-init",
    .question = "Does NVIDIA's management library (NVML) fail to start?",
    .decision =
        "yes when nvmlInit fails (9 driver not loaded, 12, 17, 999), or when the kernel module is loaded and "
        "the library is absent; unknown without any driver, without the right (4) and for a mismatch of "
        "versions (18), which driver-library answers",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .ask = ask,
};

}  // namespace cutopsy
