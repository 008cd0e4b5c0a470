#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "validators/checks/checks.h"
#include "validators/kernel_log.h"
#include "validators/pci_devices.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {Parameter{"pci", "the PCI address of a GPU; all GPUs when absent"}};

// The GPUs asked about and the bridges above them: an error may be seen by the partner at the other end of the link.
std::set<std::string> devices_concerned(const Host& host, const std::string& address) {
  std::set<std::string> devices;
  if (!address.empty()) devices.insert(address);
  for (const PciDevice& gpu : nvidia_gpus(host)) {
    if (!address.empty() && gpu.address != address) continue;
    devices.insert(gpu.address);
    for (std::string& bridge : bridges_above(host, gpu)) devices.insert(std::move(bridge));
  }
  return devices;
}

struct Errors {
  std::uint64_t uncorrected = 0;
  std::uint64_t corrected = 0;
};

// The counters of one device since it was found: Documentation/ABI/testing/sysfs-bus-pci-devices-aer_stats. Unsupported
// requests do not count: the kernel's own probing makes them.
std::optional<Errors> counted(const Host& host, const std::string& address) {
  const std::string folder = "/sys/bus/pci/devices/" + address;
  Errors errors;
  std::uint64_t unsupported = 0;
  bool has_any = false;
  for (const char* const file : {"/aer_dev_fatal", "/aer_dev_nonfatal", "/aer_dev_correctable"}) {
    std::istringstream rows(host.read(folder + file).value_or(""));
    std::uint64_t count = 0;
    for (std::string row; std::getline(rows, row);) {
      const std::size_t space = row.rfind(' ');  // names have spaces too: "Bad TLP 0"
      if (space == std::string::npos || !(std::istringstream(row.substr(space)) >> count)) continue;
      has_any = true;
      if (row.starts_with("TOTAL_ERR_COR")) {
        errors.corrected += count;
      } else if (row.starts_with("TOTAL_ERR_")) {
        errors.uncorrected += count;
      } else if (row.starts_with("UnsupReq")) {
        unsupported += count;
      }
    }
  }
  errors.uncorrected -= std::min(errors.uncorrected, unsupported);
  return has_any ? std::optional(errors) : std::nullopt;
}

struct LoggedError {
  std::string address;
  bool is_corrected = false;
};

// "nvidia 0000:3b:00.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer, (Requester ID)":
// drivers/pci/pcie/aer.c, in later kernels "Uncorrectable" and "Correctable".
std::optional<LoggedError> error_in(const std::string& line) {
  static constexpr std::string_view kMark = "PCIe Bus Error: severity=";
  const std::size_t mark = line.find(kMark);
  if (mark == std::string::npos) return std::nullopt;
  LoggedError error;
  std::istringstream words(line.substr(0, mark));
  for (std::string word; words >> word;) {
    if (word.ends_with(':')) word.pop_back();
    if (std::string address = pci_address(word); !address.empty()) error.address = std::move(address);
  }
  error.is_corrected = line.compare(mark + kMark.size(), 7, "Correct") == 0;
  return error;
}

Answer ask(const Inquiry& inquiry) {
  const Host& host = inquiry.host;
  const auto devices = devices_concerned(host, pci_address(inquiry.parameters.text("pci").value_or("")));
  if (devices.empty()) return Answer::not_applicable("there is no NVIDIA GPU on the PCI bus");
  Errors errors;
  bool has_counters = false;
  for (const std::string& device : devices) {
    if (const auto of_device = counted(host, device)) {
      has_counters = true;
      errors.uncorrected += of_device->uncorrected;
      errors.corrected += of_device->corrected;
    }
  }
  const auto log = read_kernel_log(host);
  if (!log && !has_counters) return without_kernel_log();
  KernelLogHits hits, corrected;
  for (const std::string& line : log ? log->lines : std::vector<std::string>()) {
    const auto error = error_in(line);
    if (error && devices.contains(error->address)) (error->is_corrected ? corrected : hits).add(line);
  }
  Answer answer = Answer::no("no PCIe error of the GPUs and the bridges above them since boot");
  if (hits.count > 0 || errors.uncorrected > 0) {
    answer = Answer::yes(hits.count > 0 ? "the kernel has logged: " + hits.last
                                        : std::to_string(errors.uncorrected) + " uncorrected PCIe errors are counted",
                         "Seat the GPU and its riser again; check slot, cables and power; update the firmware.");
  } else if (corrected.count > 0 || errors.corrected > 0) {
    answer =
        Answer::undecided("PCIe errors occurred, but the link corrected them; many in a short time tell of a bad link");
  } else if (!has_counters && !log->since_boot) {
    answer = Answer::undecided("no PCIe error in " + log->source + ", whose beginning is lost");
  }
  return (hits.count > 0 ? hits : corrected)
      .measured(std::move(answer))
      .with("uncorrected_errors", std::to_string(errors.uncorrected))
      .with("corrected_errors", std::to_string(errors.corrected));
}

}  // namespace

extern const Check kKernelLogAer = {
    .name = "kernel-log-aer",
    .question = "Have PCIe errors of a GPU's link been reported since boot?",
    .decision =
        "yes when the kernel has logged or counted (aer_dev_fatal, aer_dev_nonfatal) an uncorrected error of a GPU "
        "or of a bridge above one; unknown when all were corrected, or nothing can be read",
    .check_class = CheckClass::transient,
    .parameters = kParameters,
    .ask = ask,
};

}  // namespace cutopsy
