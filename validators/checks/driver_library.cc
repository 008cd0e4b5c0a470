#include <array>
#include <string>

#include "validators/checks/checks.h"
#include "validators/nvidia_module.h"
#include "validators/nvml.h"

namespace cutopsy {

namespace {

std::string version_of_library(const Nvml& nvml) {
  std::array<char, 96> text{};
  return nvml.SystemGetNVMLVersion(text.data(), text.size() - 1).ok() ? text.data() : "";
}

Answer ask(const Inquiry& inquiry) {
  const NvmlStatus& status = inquiry.nvml->status();
  if (status.code != kNvmlVersionMismatch && !status.ok()) return Answer::could_not_run(status.text());
  const auto module = nvidia_module(inquiry.host);
  const std::string library = version_of_library(*inquiry.nvml);
  const std::string versions = (module && !module->version.empty() ? "the kernel module is " + module->version : "") +
                               (library.empty() ? "" : "; NVML is " + library);
  Answer answer = Answer::no("the kernel module accepts the driver's library");
  if (!status.ok()) {
    answer = Answer::yes(status.text() + (versions.empty() ? "" : ": " + versions),
                         "Reboot, or unload and load the nvidia modules: the driver was updated under a running one. "
                         "In a container, mount the host's libraries, not the image's.");
  }
  return std::move(answer).with("module_version", module ? module->version : "").with("nvml_version", library);
}

}  // namespace

extern const Check kDriverLibrary = {
    .name = "driver-library",
    .question = "Are the driver's library and its kernel module of different versions?",
    .decision = "yes when nvmlInit says so (NVML 18); no when it starts, since it refuses any other module",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .ask = ask,
};

}  // namespace cutopsy
