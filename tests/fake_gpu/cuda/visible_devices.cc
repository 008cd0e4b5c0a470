#include "tests/fake_gpu/cuda/visible_devices.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace cutopsy::fake {

namespace {

// All that could be seen, in the order in which numbers count: MIG devices after the whole ones.
std::vector<VisibleDevice> in_order(const std::vector<PhysicalDevice>& machine, std::string_view order) {
  std::vector<std::size_t> indices(machine.size());
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
  if (order != "PCI_BUS_ID") {
    std::stable_sort(indices.begin(), indices.end(),
                     [&](std::size_t a, std::size_t b) { return machine[a].speed > machine[b].speed; });
  }
  std::vector<VisibleDevice> devices;
  for (const std::size_t i : indices) {
    if (!machine[i].mig_enabled) devices.push_back({i, machine[i].uuid});
  }
  for (const std::size_t i : indices) {
    for (const std::string& mig : machine[i].mig) devices.push_back({i, mig});
  }
  return devices;
}

std::optional<VisibleDevice> named(const std::vector<VisibleDevice>& all, const std::string& entry) {
  if (entry.starts_with("GPU-") || entry.starts_with("MIG-")) {
    std::optional<VisibleDevice> found;
    for (const VisibleDevice& device : all) {
      if (!device.uuid.starts_with(entry)) continue;
      if (found) return std::nullopt;  // ambiguous
      found = device;
    }
    return found;
  }
  char* end = nullptr;
  const long index = std::strtol(entry.c_str(), &end, 10);
  if (end == entry.c_str() || index < 0 || static_cast<std::size_t>(index) >= all.size()) return std::nullopt;
  return all[static_cast<std::size_t>(index)];
}

// A process computes on one MIG device at most, and then on nothing else.
std::vector<VisibleDevice> one_if_mig(std::vector<VisibleDevice> devices) {
  const auto mig =
      std::find_if(devices.begin(), devices.end(), [](const auto& d) { return d.uuid.starts_with("MIG-"); });
  if (mig == devices.end()) return devices;
  return {*mig};
}

}  // namespace

std::vector<VisibleDevice> visible_devices(const std::vector<PhysicalDevice>& machine, const char* visible,
                                           const char* order) {
  const std::vector<VisibleDevice> all = in_order(machine, order ? order : "");
  if (!visible) return one_if_mig(all);
  std::vector<VisibleDevice> chosen;
  std::string_view rest = visible;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    std::string_view entry = rest.substr(0, comma);
    entry.remove_prefix(std::min(entry.find_first_not_of(' '), entry.size()));
    const auto device = named(all, std::string(entry));
    if (!device) break;
    const bool twice = std::any_of(chosen.begin(), chosen.end(), [&](const auto& d) { return d.uuid == device->uuid; });
    if (twice) return {};
    chosen.push_back(*device);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return one_if_mig(chosen);
}

}  // namespace cutopsy::fake
