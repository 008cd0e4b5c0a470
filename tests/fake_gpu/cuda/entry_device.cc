// Entry points: the driver itself and its devices.
#include <strings.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "tests/fake_gpu/cuda/entry.h"
#include "tests/fake_gpu/cuda/peers.h"

using namespace cutopsy::fake;

namespace {

// The sixteen bytes that "GPU-01234567-89ab-…" spells.
CUuuid bytes_of(const std::string& uuid) {
  CUuuid bytes{};
  std::string digits;
  for (const char c : uuid.substr(std::min<std::size_t>(uuid.size(), 4))) {
    if (c != '-') digits += c;
  }
  for (std::size_t i = 0; i < sizeof bytes.bytes && 2 * i + 1 < digits.size(); ++i) {
    bytes.bytes[i] = static_cast<unsigned char>(std::stoul(digits.substr(2 * i, 2), nullptr, 16));
  }
  return bytes;
}

std::string pci_text(const Identity& it) {
  char text[32];
  std::snprintf(text, sizeof text, "%04X:%02X:%02X.0", it.pci_domain, it.pci_bus, it.pci_device);
  return text;
}

void copy_text(char* to, int room, const std::string& text) {
  if (room > 0) std::snprintf(to, static_cast<std::size_t>(room), "%s", text.c_str());
}

}  // namespace

CUTOPSY_EXPORT int cuInit(unsigned flags) {
  CUTOPSY_ENTER(nothing);
  return flags != 0 ? status::invalid_value : driver.initialise();
}

CUTOPSY_EXPORT int cuDriverGetVersion(int* version) {
  CUTOPSY_ENTER(nothing);
  if (!version) return status::invalid_value;
  *version = driver.cuda_version();
  return status::success;
}

CUTOPSY_EXPORT int cuDeviceGetCount(int* count) {
  CUTOPSY_ENTER(initialised);
  if (!count) return status::invalid_value;
  *count = static_cast<int>(driver.devices().size());
  return status::success;
}

CUTOPSY_EXPORT int cuDeviceGet(CUdevice* device, int ordinal) {
  CUTOPSY_ENTER(initialised);
  if (!device) return status::invalid_value;
  if (!driver.device(ordinal)) return status::invalid_device;
  *device = ordinal;
  return status::success;
}

CUTOPSY_EXPORT int cuDeviceGetName(char* name, int room, CUdevice device) {
  CUTOPSY_ENTER_ON(device);
  copy_text(name, room, it->identity().name);
  return status::success;
}

CUTOPSY_EXPORT int cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  CUTOPSY_ENTER_ON(device);
  if (!uuid) return status::invalid_value;
  *uuid = bytes_of(it->visible_uuid());
  return status::success;
}

// The first version tells the whole GPU's name even of a MIG device.
CUTOPSY_EXPORT int cuDeviceGetUuid(CUuuid* uuid, CUdevice device) {
  CUTOPSY_ENTER_ON(device);
  if (!uuid) return status::invalid_value;
  *uuid = bytes_of(it->identity().uuid);
  return status::success;
}

CUTOPSY_EXPORT int cuDeviceTotalMem_v2(std::size_t* bytes, CUdevice device) {
  CUTOPSY_ENTER_ON(device);
  if (!bytes) return status::invalid_value;
  *bytes = it->identity().memory_total;
  return status::success;
}

CUTOPSY_EXPORT int cuDeviceGetAttribute(int* value, int number, CUdevice device) {
  CUTOPSY_ENTER_ON(device);
  const auto known = it->attribute(number);
  if (!value || !known) return status::invalid_value;
  *value = *known;
  return status::success;
}

CUTOPSY_EXPORT int cuDeviceGetPCIBusId(char* text, int room, CUdevice device) {
  CUTOPSY_ENTER_ON(device);
  copy_text(text, room, pci_text(it->identity()));
  return status::success;
}

CUTOPSY_EXPORT int cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  CUTOPSY_ENTER(initialised);
  if (!device || !text) return status::invalid_value;
  for (const auto& it : driver.devices()) {
    if (strcasecmp(pci_text(it->identity()).c_str(), text) != 0) continue;
    *device = driver.ordinal_of(it.get());
    return status::success;
  }
  return status::invalid_device;
}

CUTOPSY_EXPORT int cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  CUTOPSY_ENTER_ON(device);
  Device* const other = driver.device(peer);
  if (!other) return status::invalid_device;
  if (!can) return status::invalid_value;
  *can = peer_listed(*it, *other, "p2p.access");
  return status::success;
}

CUTOPSY_EXPORT int cuDeviceGetP2PAttribute(int* value, int number, CUdevice device, CUdevice peer) {
  CUTOPSY_ENTER_ON(device);
  Device* const other = driver.device(peer);
  if (!other || it == other) return status::invalid_device;
  if (!value) return status::invalid_value;
  const bool access = peer_listed(*it, *other, "p2p.access");
  switch (number) {
    case p2p_attribute::performance_rank:
      *value = static_cast<int>(it->section().number("p2p.rank"));
      break;
    case p2p_attribute::access_supported:
      *value = access;
      break;
    case p2p_attribute::native_atomic_supported:
      *value = access && peer_listed(*it, *other, "p2p.atomics");
      break;
    case p2p_attribute::cuda_array_access_supported:
      *value = access;
      break;
    default:
      return status::invalid_value;
  }
  return status::success;
}
