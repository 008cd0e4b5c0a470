#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/nvidia_module.h"
#include "validators/pci_devices.h"
#include "validators/surroundings.h"

namespace cutopsy {

namespace {

constexpr std::array<std::string_view, 1> kBlockedBy = {"module-loaded"};

// Makes the nodes on demand, with root's rights: https://github.com/NVIDIA/nvidia-modprobe. Containers have none.
constexpr const char* kMaker = "/usr/bin/nvidia-modprobe";

bool is_gpu_node(const std::string& name) {
  static constexpr std::string_view kPrefix = "nvidia";
  return name.size() > kPrefix.size() && name.starts_with(kPrefix) &&
         name.find_first_not_of("0123456789", kPrefix.size()) == std::string::npos;
}

// 0 or the error that opening the node would end with. access(2) asks the mode and the device control group as open(2)
// does, but does not wake the GPU. Of a copy only the presence counts.
int refusal(const Host& host, const std::string& path) {
  const int mode = host.is_this_machine() ? R_OK | W_OK : F_OK;
  return faccessat(AT_FDCWD, host.at(path).c_str(), mode, AT_EACCESS) == 0 ? 0 : errno;
}

Answer denied(const std::string& path, int error) {
  if (error == EPERM) {
    return Answer::yes(path + " is there, but the container's device control group forbids it (EPERM)",
                       "Start the container again; to keep it from recurring after systemctl daemon-reload, use CDI or "
                       "give the nodes by --device.");
  }
  return Answer::yes(path + " may not be opened by this user (EACCES)",
                     "Join the group of the node (video, render), or set NVreg_DeviceFileMode=0666.");
}

Answer ask(const Inquiry& inquiry) {
  const Host& host = inquiry.host;
  if (in_wsl(host)) {
    if (host.exists("/dev/dxg")) return Answer::no("/dev/dxg, WSL's only node, is there");
    return Answer::undecided("there is no /dev/dxg: Windows, or the container, passes on no GPU",
                             "Update WSL and the Windows driver; start the container with --gpus all.");
  }
  if (nvidia_gpus(host).empty() && !nvidia_module(host)) {
    return Answer::not_applicable("there is neither an NVIDIA GPU on the PCI bus nor its kernel module");
  }
  std::vector<std::string> nodes = {"nvidiactl", "nvidia-uvm"};
  for (std::string& name : host.list("/dev")) {
    if (is_gpu_node(name)) nodes.push_back(std::move(name));
  }
  const std::size_t gpu_nodes = nodes.size() - 2;
  std::string missing = gpu_nodes == 0 ? " /dev/nvidia0" : "";
  for (const std::string& name : nodes) {
    const int error = refusal(host, "/dev/" + name);
    if (error == EPERM || error == EACCES) return denied("/dev/" + name, error).with("node", "/dev/" + name);
    if (error != 0) missing += " /dev/" + name;
  }
  if (missing.empty()) {
    return Answer::no("/dev/nvidiactl and /dev/nvidia-uvm are there; GPU nodes: " + std::to_string(gpu_nodes))
        .with("gpu_nodes", std::to_string(gpu_nodes));
  }
  if (host.exists(kMaker)) return Answer::undecided("missing:" + missing + "; nvidia-modprobe makes them at first use");
  return Answer::yes(
      "missing:" + missing,
      "In a container: start it with --gpus all (NVIDIA's container toolkit). On the machine itself: run "
      "nvidia-modprobe -c 0 -u, or nvidia-smi as root.");
}

}  // namespace

extern const Check kDeviceNodes = {
    .name = "device-nodes",
    .question = "Are NVIDIA's device nodes missing or forbidden?",
    .decision =
        "yes when /dev/nvidiactl, /dev/nvidia-uvm or every /dev/nvidiaN is missing, or one of those present may "
        "not be opened; unknown where nvidia-modprobe would make what is missing",
    .check_class = CheckClass::transient,
    .blocked_by = kBlockedBy,
    .ask = ask,
};

}  // namespace cutopsy
