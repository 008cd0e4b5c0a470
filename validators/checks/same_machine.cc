#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/nvml.h"
#include "validators/pci_devices.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"host", "the log's host name"},
    Parameter{"uuid", "UUID of a GPU in the log; it decides over all else"},
    Parameter{"pci", "PCI address of a GPU in the log"},
    Parameter{"gpu_name", "model of the GPU in the log"},
    Parameter{"driver_version", "version of the kernel driver in the log"},
};

// "node7.example.org" and "node7" are one.
std::string short_name(std::string_view host) {
  std::string name(host.substr(0, host.find('.')));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return name;
}

std::string own_name(const Host& host) {
  return host.value("/proc/sys/kernel/hostname").value_or("");
}

// The log may leave out the maker: "H100 80GB HBM3" is "NVIDIA H100 80GB HBM3".
bool is_model(const Gpu& gpu, std::string_view name) {
  constexpr std::string_view kMaker = "NVIDIA ";
  if (name.starts_with(kMaker)) name.remove_prefix(kMaker.size());
  return !name.empty() && gpu.name.find(name) != std::string::npos;
}

// What the log names and what this machine has, compared one by one.
class Comparison {
 public:
  explicit Comparison(const Inquiry& inquiry) : inquiry_(inquiry), gpus_(inquiry.nvml->gpus()) {}

  Answer answer() {
    if (const auto uuid = inquiry_.parameters.text("uuid"); uuid && !gpus_.empty()) {
      const bool here = std::any_of(gpus_.begin(), gpus_.end(), [&](const Gpu& gpu) { return gpu.uuid == *uuid; });
      if (here) return Answer::no("GPU " + *uuid + " of the log is here");
      // A MIG device or a part of the machine that this container does not see proves nothing.
      if (uuid->starts_with("GPU-")) return Answer::yes("GPU " + *uuid + " of the log is not here");
    }
    compare_host();
    compare_driver();
    compare_model();
    compare_address();
    if (!differs_.empty()) return Answer::yes(differs_);
    if (!agrees_.empty()) return Answer::no(agrees_);
    return Answer::undecided("the log names no host, GPU or driver to compare with");
  }

 private:
  void compare_host() {
    const auto named = inquiry_.parameters.text("host");
    const std::string own = own_name(inquiry_.host);
    if (!named || named->empty() || own.empty()) return;
    if (short_name(*named) == short_name(own)) {
      agrees_ = "the log's host " + *named + " is this one";
    } else {
      differs_ = "the log's host is " + *named + ", this one is " + own;
    }
  }

  void compare_driver() {
    const auto named = inquiry_.parameters.text("driver_version");
    const auto own = inquiry_.host.value("/sys/module/nvidia/version");
    if (!named || !own || *named == *own) return;
    differs_ = "the log's driver is " + *named + ", this machine's is " + *own;
  }

  void compare_model() {
    const auto named = inquiry_.parameters.text("gpu_name");
    if (!named || gpus_.empty()) return;
    const bool here = std::any_of(gpus_.begin(), gpus_.end(), [&](const Gpu& gpu) { return is_model(gpu, *named); });
    if (!here) differs_ = "the log's GPU is " + *named + ", this machine has " + gpus_.front().name;
  }

  // Most machines of a kind have GPUs at the same addresses: a match says little, a miss much.
  void compare_address() {
    const auto named = inquiry_.parameters.text("pci");
    const std::string address = named ? pci_address(*named) : "";
    if (address.empty() || gpus_.empty()) return;
    const bool here =
        std::any_of(gpus_.begin(), gpus_.end(), [&](const Gpu& gpu) { return gpu.pci_address == address; });
    const auto devices = nvidia_devices(inquiry_.host);
    const bool on_bus =
        std::any_of(devices.begin(), devices.end(), [&](const PciDevice& one) { return one.address == address; });
    // A GPU that fell off the bus is missing in both lists, so only another host's log can be told by it.
    if (!here && !on_bus && agrees_.empty()) differs_ = "no GPU is at the log's PCI address " + address;
  }

  const Inquiry& inquiry_;
  std::vector<Gpu> gpus_;
  std::string agrees_, differs_;
};

Answer ask(const Inquiry& inquiry) {
  return Comparison(inquiry).answer();
}

}  // namespace

extern const Check kSameMachine = {
    .name = "same-machine",
    .question = "Is the log of another machine?",
    .decision =
        "no when a GPU's UUID or the host's name is this machine's; yes when UUID, host, driver version or GPU "
        "model differ; unknown when the log names none of them",
    .check_class = CheckClass::state,
    .need = Need::nvml,
    .parameters = kParameters,
    .on_request = true,
    .ask = ask,
};

}  // namespace cutopsy
