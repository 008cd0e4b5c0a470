// Entry points: copies and fills. Between host and device they wait; within devices they are queued like a launch.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include "tests/fake_gpu/cuda/entry.h"
#include "tests/fake_gpu/cuda/transfer.h"

using namespace cutopsy::fake;

namespace {

constexpr std::size_t kFilledAtOnce = 1 << 16;

enum class Side { host, device };

// Whether a range is what the call says: all of it in one allocation, or no device's memory.
bool is_valid(const Driver& driver, std::uint64_t address, std::size_t bytes, Side side) {
  const Device* const device = driver.device_at(address);
  if (side == Side::host) return !device && address != 0;
  if (device) return device->owns(address, bytes);
  const auto managed = driver.host_memory.upper_bound(address);
  if (managed == driver.host_memory.begin()) return false;
  const auto& [start, length] = *std::prev(managed);
  return address - start <= length && bytes <= start + length - address;
}

struct Range {
  std::uint64_t address;
  Side side;
};

int queue_copy(Driver& driver, Range to, Range from, std::size_t bytes, Stream* stream) {
  if (bytes == 0) return status::success;
  if (!is_valid(driver, to.address, bytes, to.side) || !is_valid(driver, from.address, bytes, from.side)) {
    return status::invalid_value;
  }
  if (!driver.is_stream(stream)) return status::invalid_handle;
  driver.queue(driver.current(), stream,
               [&driver, to, from, bytes] { transfer(driver, to.address, from.address, bytes); });
  return status::success;
}

int copy(Driver& driver, Range to, Range from, std::size_t bytes) {
  const int refused = queue_copy(driver, to, from, bytes, nullptr);
  return refused != 0 ? refused : driver.finish(driver.current(), nullptr);
}

Range host(const void* memory) {
  return {reinterpret_cast<std::uint64_t>(memory), Side::host};
}
Range device(CUdeviceptr address) {
  return {address, Side::device};
}

template <typename T>
int queue_fill(Driver& driver, CUdeviceptr address, T value, std::size_t count, Stream* stream) {
  if (count == 0) return status::success;
  if (address % sizeof(T) != 0 || !is_valid(driver, address, count * sizeof(T), Side::device)) {
    return status::invalid_value;
  }
  if (!driver.is_stream(stream)) return status::invalid_handle;
  driver.queue(driver.current(), stream, [target = driver.device_at(address), address, value, count] {
    const std::vector<T> values(std::min(count, kFilledAtOnce), value);
    for (std::size_t done = 0; done < count; done += values.size()) {
      const std::size_t bytes = std::min(values.size(), count - done) * sizeof(T);
      if (target) {
        target->store(address + done * sizeof(T), values.data(), bytes);
      } else {
        std::memcpy(reinterpret_cast<T*>(address) + done, values.data(), bytes);
      }
    }
  });
  return status::success;
}

}  // namespace

CUTOPSY_EXPORT int cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t bytes) {
  CUTOPSY_ENTER(context);
  return copy(driver, device(to), host(from), bytes);
}

CUTOPSY_EXPORT int cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t bytes) {
  CUTOPSY_ENTER(context);
  return copy(driver, host(to), device(from), bytes);
}

CUTOPSY_EXPORT int cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes) {
  CUTOPSY_ENTER(context);
  return queue_copy(driver, device(to), device(from), bytes, nullptr);
}

CUTOPSY_EXPORT int cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, std::size_t bytes, Stream* stream) {
  CUTOPSY_ENTER(context);
  return queue_copy(driver, device(to), host(from), bytes, stream);
}

CUTOPSY_EXPORT int cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, std::size_t bytes, Stream* stream) {
  CUTOPSY_ENTER(context);
  return queue_copy(driver, host(to), device(from), bytes, stream);
}

CUTOPSY_EXPORT int cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, Stream* stream) {
  CUTOPSY_ENTER(context);
  return queue_copy(driver, device(to), device(from), bytes, stream);
}

CUTOPSY_EXPORT int cuMemcpyPeer(CUdeviceptr to, Context* to_context, CUdeviceptr from, Context* from_context,
                                std::size_t bytes) {
  CUTOPSY_ENTER(context);
  if (!driver.is_context(to_context) || !driver.is_context(from_context)) return status::invalid_context;
  return queue_copy(driver, device(to), device(from), bytes, nullptr);
}

CUTOPSY_EXPORT int cuMemcpyPeerAsync(CUdeviceptr to, Context* to_context, CUdeviceptr from, Context* from_context,
                                     std::size_t bytes, Stream* stream) {
  CUTOPSY_ENTER(context);
  if (!driver.is_context(to_context) || !driver.is_context(from_context)) return status::invalid_context;
  return queue_copy(driver, device(to), device(from), bytes, stream);
}

CUTOPSY_EXPORT int cuMemsetD8_v2(CUdeviceptr address, unsigned char value, std::size_t count) {
  CUTOPSY_ENTER(context);
  return queue_fill(driver, address, value, count, nullptr);
}

CUTOPSY_EXPORT int cuMemsetD8Async(CUdeviceptr address, unsigned char value, std::size_t count, Stream* stream) {
  CUTOPSY_ENTER(context);
  return queue_fill(driver, address, value, count, stream);
}

CUTOPSY_EXPORT int cuMemsetD32_v2(CUdeviceptr address, unsigned value, std::size_t count) {
  CUTOPSY_ENTER(context);
  return queue_fill(driver, address, value, count, nullptr);
}

CUTOPSY_EXPORT int cuMemsetD32Async(CUdeviceptr address, unsigned value, std::size_t count, Stream* stream) {
  CUTOPSY_ENTER(context);
  return queue_fill(driver, address, value, count, stream);
}
