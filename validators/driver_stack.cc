#include "validators/driver_stack.h"

#include <array>
#include <cstddef>
#include <string_view>

#include "validators/pci_devices.h"

namespace cutopsy {

namespace {

// Where distributions and container runtimes put the driver's libraries.
constexpr std::array<std::string_view, 6> kLibraryFolders = {
    "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64",
    "/usr/lib/wsl/lib",          "/usr/local/nvidia/lib64",    "/run/opengl-driver/lib"};
constexpr std::string_view kWslDevice = "/dev/dxg";  // stands for bus, module and nodes on WSL

Layer bus(const Host& host) {
  const auto gpus = nvidia_gpus(host);
  if (!gpus.empty()) {
    std::string found = std::to_string(gpus.size()) + " NVIDIA GPU" + (gpus.size() == 1 ? "" : "s") + ":";
    for (const PciDevice& gpu : gpus) found += " " + gpu.address;
    return {"PCI bus", true, found, ""};
  }
  if (host.exists(kWslDevice)) return {"PCI bus", true, "WSL reaches the GPU of Windows by /dev/dxg", ""};
  return {"PCI bus", false, "no NVIDIA GPU",
          "Run on a machine that has one; in a virtual machine, pass the GPU through to it."};
}

Layer module(const Host& host) {
  if (const auto version = host.value("/sys/module/nvidia/version")) {
    return {"kernel module", true, "nvidia " + *version, ""};
  }
  if (host.exists("/proc/driver/nvidia/version")) return {"kernel module", true, "nvidia is loaded", ""};
  if (host.exists(kWslDevice)) return {"kernel module", true, "of Windows", ""};
  return {
      "kernel module", false, "nvidia is not loaded",
      "Install the NVIDIA driver, then `sudo modprobe nvidia`; what hinders it is in `sudo dmesg | grep -i nvidia`."};
}

Layer nodes(const Host& host) {
  if (host.exists(kWslDevice)) return {"device nodes", true, "/dev/dxg", ""};
  const bool control = host.exists("/dev/nvidiactl"), first = host.exists("/dev/nvidia0");
  if (control && first) return {"device nodes", true, "/dev/nvidiactl, /dev/nvidia0", ""};
  return {"device nodes", false, control ? "/dev/nvidia0 is missing" : "/dev/nvidiactl is missing",
          "In a container, give it the GPUs (docker run --gpus all); on the machine itself, `sudo nvidia-modprobe -u "
          "-c=0`."};
}

Layer library(const Host& host) {
  for (const std::string_view folder : kLibraryFolders) {
    const std::string path = std::string(folder) + "/libcuda.so.1";
    if (host.exists(path)) return {"driver library", true, path, ""};
  }
  const std::string cache = host.read("/etc/ld.so.cache").value_or("");
  if (cache.find("libcuda.so.1") != std::string::npos) return {"driver library", true, "libcuda.so.1", ""};
  return {"driver library", false, "libcuda.so.1 is in none of the usual places",
          "Install the driver's libraries; in a container they come from the machine (NVIDIA Container Toolkit)."};
}

}  // namespace

std::vector<Layer> driver_stack(const Host& host) {
  return {bus(host), module(host), nodes(host), library(host)};
}

}  // namespace cutopsy
