#include "validators/pci_devices.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <sstream>

namespace cutopsy {

namespace {

constexpr std::uint64_t kNvidia = 0x10de;

// The whole text as a hexadecimal number of at most `most`.
std::optional<unsigned> hexadecimal(std::string_view digits, unsigned most) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size() || value > most) return std::nullopt;
  return value;
}

std::string bound_driver(const Host& host, const std::string& folder) {
  const auto target = host.link(folder + "/driver");
  return target ? target->substr(target->rfind('/') + 1) : "";
}

}  // namespace

std::vector<PciDevice> nvidia_devices(const Host& host) {
  std::vector<PciDevice> devices;
  for (const std::string& address : host.list("/sys/bus/pci/devices")) {
    PciDevice device{.address = address, .driver = ""};
    if (host.number(device.folder() + "/vendor") != kNvidia) continue;
    device.device = static_cast<std::uint16_t>(host.number(device.folder() + "/device").value_or(0));
    device.class_code = static_cast<std::uint32_t>(host.number(device.folder() + "/class").value_or(0));
    device.driver = bound_driver(host, device.folder());
    devices.push_back(std::move(device));
  }
  return devices;
}

std::vector<PciDevice> nvidia_gpus(const Host& host) {
  std::vector<PciDevice> gpus = nvidia_devices(host);
  std::erase_if(gpus, [](const PciDevice& device) { return !device.is_gpu(); });
  return gpus;
}

std::vector<std::string> bridges_above(const Host& host, const PciDevice& device) {
  std::vector<std::string> bridges;
  std::istringstream parts(host.link(device.folder()).value_or(""));
  for (std::string part; std::getline(parts, part, '/');) {
    if (part != device.address && pci_address(part) == part) bridges.push_back(part);
  }
  return bridges;
}

std::string pci_address(std::string_view printed) {
  if (printed.starts_with("PCI:")) printed.remove_prefix(4);
  std::string_view function = "0";
  if (const std::size_t dot = printed.find('.'); dot != std::string_view::npos) {
    function = printed.substr(dot + 1);
    printed = printed.substr(0, dot);
  }
  std::array<std::string_view, 3> parts{"0", "", ""};  // domain, bus, device
  for (std::size_t i = 2;; --i) {
    const std::size_t colon = printed.rfind(':');
    parts[i] = printed.substr(colon + 1);  // npos + 1 is 0
    if (colon == std::string_view::npos) {
      if (i == 2) return "";
      break;
    }
    if (i == 0) return "";
    printed = printed.substr(0, colon);
  }
  const auto domain = hexadecimal(parts[0], 0xffffffff);
  const auto bus = hexadecimal(parts[1], 0xff);
  const auto device = hexadecimal(parts[2], 0x1f);
  const auto number = hexadecimal(function, 7);
  if (!domain || !bus || !device || !number) return "";
  std::array<char, 24> address;
  std::snprintf(address.data(), address.size(), "%04x:%02x:%02x.%x", *domain, *bus, *device, *number);
  return address.data();
}

}  // namespace cutopsy
