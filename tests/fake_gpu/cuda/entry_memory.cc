// Entry points: device and host memory.
#include <sys/mman.h>

#include <cstdlib>

#include "tests/fake_gpu/cuda/entry.h"

using namespace cutopsy::fake;

namespace {

int new_host_memory(Driver& driver, void** memory, std::size_t bytes) {
  if (!memory || bytes == 0) return status::invalid_value;
  *memory = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!*memory) return status::out_of_memory;
  driver.host_memory[reinterpret_cast<std::uint64_t>(*memory)] = bytes;
  return status::success;
}

}  // namespace

CUTOPSY_EXPORT int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
  CUTOPSY_ENTER(context);
  const Device& device = *driver.current()->device;
  if (free_bytes) *free_bytes = device.free_bytes();
  if (total_bytes) *total_bytes = device.identity().memory_total;
  return status::success;
}

CUTOPSY_EXPORT int cuMemAlloc_v2(CUdeviceptr* address, std::size_t bytes) {
  CUTOPSY_ENTER(context);
  if (!address || bytes == 0) return status::invalid_value;
  const auto place = driver.current()->device->allocate(bytes);
  if (!place) return status::out_of_memory;
  *address = *place;
  return status::success;
}

// Waits for the device first: work in flight may still use the memory.
CUTOPSY_EXPORT int cuMemFree_v2(CUdeviceptr address) {
  CUTOPSY_ENTER(context);
  if (address == 0) return status::success;
  if (const int error = driver.finish_all(driver.current()); error != 0) return error;
  Device* const device = driver.device_at(address);
  if (device) return device->release(address) ? status::success : status::invalid_value;
  const auto managed = driver.host_memory.find(address);
  if (managed == driver.host_memory.end()) return status::invalid_value;
  std::free(reinterpret_cast<void*>(address));
  driver.host_memory.erase(managed);
  return status::success;
}

CUTOPSY_EXPORT int cuMemGetAddressRange_v2(CUdeviceptr* start, std::size_t* bytes, CUdeviceptr address) {
  CUTOPSY_ENTER(context);
  const Device* const device = driver.device_at(address);
  const auto found = device ? device->allocation(address) : std::nullopt;
  if (!found) return status::not_found;
  if (start) *start = found->first;
  if (bytes) *bytes = found->second;
  return status::success;
}

// Host and device see the same memory, as on a machine where pages move on demand.
CUTOPSY_EXPORT int cuMemAllocManaged(CUdeviceptr* address, std::size_t bytes, unsigned) {
  CUTOPSY_ENTER(context);
  return new_host_memory(driver, reinterpret_cast<void**>(address), bytes);
}

CUTOPSY_EXPORT int cuMemAllocHost_v2(void** memory, std::size_t bytes) {
  CUTOPSY_ENTER(context);
  return new_host_memory(driver, memory, bytes);
}

CUTOPSY_EXPORT int cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  CUTOPSY_ENTER(context);
  return new_host_memory(driver, memory, bytes);
}

CUTOPSY_EXPORT int cuMemFreeHost(void* memory) {
  CUTOPSY_ENTER(context);
  if (const int error = driver.finish_all(driver.current()); error != 0) return error;
  if (driver.host_memory.erase(reinterpret_cast<std::uint64_t>(memory)) == 0) return status::invalid_value;
  std::free(memory);
  return status::success;
}

CUTOPSY_EXPORT int cuMemHostRegister_v2(void* memory, std::size_t bytes, unsigned) {
  CUTOPSY_ENTER(context);
  if (!memory || bytes == 0) return status::invalid_value;
  driver.host_memory[reinterpret_cast<std::uint64_t>(memory)] = bytes;
  return status::success;
}

CUTOPSY_EXPORT int cuMemHostUnregister(void* memory) {
  CUTOPSY_ENTER(context);
  const bool known = driver.host_memory.erase(reinterpret_cast<std::uint64_t>(memory)) > 0;
  return known ? status::success : status::host_memory_not_registered;
}

CUTOPSY_EXPORT int cuMemHostGetDevicePointer_v2(CUdeviceptr* address, void* memory, unsigned) {
  CUTOPSY_ENTER(context);
  if (!address || !driver.host_memory.contains(reinterpret_cast<std::uint64_t>(memory))) return status::invalid_value;
  *address = reinterpret_cast<std::uint64_t>(memory);
  return status::success;
}

// An address without memory behind it: what a kernel does there is an illegal address.
CUTOPSY_EXPORT int cuMemAddressReserve(CUdeviceptr* address, std::size_t bytes, std::size_t, CUdeviceptr,
                                       unsigned long long) {
  CUTOPSY_ENTER(context);
  if (!address || bytes == 0 || bytes % (2 << 20) != 0) return status::invalid_value;
  void* const range = mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return status::out_of_memory;
  *address = reinterpret_cast<std::uint64_t>(range);
  return status::success;
}

CUTOPSY_EXPORT int cuMemAddressFree(CUdeviceptr address, std::size_t bytes) {
  CUTOPSY_ENTER(context);
  return munmap(reinterpret_cast<void*>(address), bytes) == 0 ? status::success : status::invalid_value;
}
