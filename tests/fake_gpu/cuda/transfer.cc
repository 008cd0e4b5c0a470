#include "tests/fake_gpu/cuda/transfer.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "tests/fake_gpu/cuda/peers.h"

namespace cutopsy::fake {

namespace {

constexpr std::size_t kChunk = 1 << 16;
// Small copies, such as results, pass unharmed: a link that harmed each of them could not even report itself.
constexpr std::size_t kLeastCorrupted = 1 << 16;

void load(Device* device, std::uint64_t from, void* to, std::size_t bytes) {
  if (device) {
    device->load(from, to, bytes);
  } else {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  }
}

void store(Device* device, std::uint64_t to, const void* from, std::size_t bytes) {
  if (device) {
    device->store(to, from, bytes);
  } else {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  }
}

std::uint64_t corruption(const Device* source, const Device* target) {
  if (source && target) return source == target ? 0 : peer_corruption(*source, *target, "peer.copy");
  if (target) return static_cast<std::uint64_t>(target->section().number("host_copy.to_device"));
  if (source) return static_cast<std::uint64_t>(source->section().number("host_copy.to_host"));
  return 0;
}

}  // namespace

void transfer(const Driver& driver, std::uint64_t to, std::uint64_t from, std::size_t bytes) {
  Device* const source = driver.device_at(from);
  Device* const target = driver.device_at(to);
  std::vector<std::byte> buffer(std::min(bytes, kChunk));
  for (std::size_t done = 0; done < bytes; done += buffer.size()) {
    const std::size_t part = std::min(buffer.size(), bytes - done);
    load(source, from + done, buffer.data(), part);
    store(target, to + done, buffer.data(), part);
  }
  const std::uint64_t mask = bytes < kLeastCorrupted ? 0 : corruption(source, target);
  if (mask == 0) return;
  const std::uint64_t middle = to + bytes / 2 / 8 * 8;
  std::uint64_t word = 0;
  load(target, middle, &word, sizeof word);
  word ^= mask;
  store(target, middle, &word, sizeof word);
}

}  // namespace cutopsy::fake
