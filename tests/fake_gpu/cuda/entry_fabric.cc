// Entry points: memory that is made to be shared through the fabric. It is never mapped here, only made and given back.
#include "tests/fake_gpu/cuda/entry.h"

using namespace cutopsy::fake;

namespace {

constexpr std::size_t kGranularity = 2 << 20;
constexpr int kFabric = 8;       // CU_MEM_HANDLE_TYPE_FABRIC
constexpr int kMulticast = 132;  // CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED
constexpr int kFabricHandle = 128;

// CUmemAllocationProp
struct MemoryProperties {
  int type, handle_types, location_type, location;
  void* win32;
  unsigned char flags[8];
};

// CUmulticastObjectProp
struct MulticastProperties {
  unsigned devices;
  std::size_t bytes;
  unsigned long long handle_types, flags;
};

using Handle = unsigned long long;
Handle last_handle = 0;

}  // namespace

CUTOPSY_EXPORT int cuMemGetAllocationGranularity(std::size_t* bytes, const MemoryProperties* properties, int) {
  CUTOPSY_ENTER(initialised);
  if (!bytes || !properties) return status::invalid_value;
  *bytes = kGranularity;
  return status::success;
}

CUTOPSY_EXPORT int cuMemCreate(Handle* handle, std::size_t bytes, const MemoryProperties* properties,
                               unsigned long long flags) {
  CUTOPSY_ENTER(initialised);
  if (!handle || !properties || properties->type != 1 || properties->location_type != 1 || flags != 0) {
    return status::invalid_value;
  }
  const Device* const device = driver.device(properties->location);
  if (!device) return status::invalid_device;
  if (bytes == 0 || bytes % kGranularity != 0) return status::invalid_value;
  const bool has_fabric = device->attribute(kFabricHandle).value_or(0) != 0;
  if ((properties->handle_types & kFabric) != 0 && !has_fabric) return status::not_supported;
  if (bytes > device->free_bytes()) return status::out_of_memory;
  *handle = ++last_handle;
  return status::success;
}

CUTOPSY_EXPORT int cuMemRelease(Handle handle) {
  CUTOPSY_ENTER(initialised);
  return handle == 0 || handle > last_handle ? status::invalid_value : status::success;
}

CUTOPSY_EXPORT int cuMulticastGetGranularity(std::size_t* bytes, const MulticastProperties* properties, int) {
  CUTOPSY_ENTER(initialised);
  if (!bytes || !properties) return status::invalid_value;
  *bytes = kGranularity;
  return status::success;
}

CUTOPSY_EXPORT int cuMulticastCreate(Handle* handle, const MulticastProperties* properties) {
  CUTOPSY_ENTER(initialised);
  if (!handle || !properties || properties->devices == 0 || properties->bytes % kGranularity != 0) {
    return status::invalid_value;
  }
  *handle = ++last_handle;
  return status::success;
}

CUTOPSY_EXPORT int cuMulticastAddDevice(Handle handle, CUdevice device) {
  CUTOPSY_ENTER_ON(device);
  if (handle == 0 || handle > last_handle) return status::invalid_value;
  return it->attribute(kMulticast).value_or(0) != 0 ? status::success : status::not_supported;
}
