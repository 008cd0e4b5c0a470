#include "tests/fake_gpu/cuda/device.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/fake_gpu/cuda/fields.h"

namespace cutopsy::fake {

namespace {

constexpr std::uint64_t kAlignment = 512;
constexpr std::uint64_t kLarge = 1 << 20;
constexpr std::uint64_t kPage = 4096;

std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::byte* reserve(std::uint64_t bytes) {
  void* const memory =
      mmap(nullptr, std::max(bytes, kPage), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("simulated GPU: no room for its memory");
    std::abort();
  }
  return static_cast<std::byte*>(memory);
}

// Shared memory in bytes: CUDA programming guide, technical specifications per compute capability.
struct SharedMemory {
  int compute_capability;
  int per_multiprocessor;
  int per_block_optin;
};
constexpr SharedMemory kSharedMemory[] = {
    {120, 102400, 101376}, {100, 233472, 232448}, {90, 233472, 232448}, {86, 102400, 101376},
    {80, 167936, 166912},  {75, 65536, 65536},    {70, 98304, 98304},   {0, 65536, 49152},
};

const SharedMemory& shared_memory(int compute_capability) {
  return *std::find_if(std::begin(kSharedMemory), std::end(kSharedMemory),
                       [&](const SharedMemory& row) { return compute_capability >= row.compute_capability; });
}

// What every simulated device has, by the attribute's number.
const std::map<int, int> kOrdinary = {
    {1, 1024},        // MAX_THREADS_PER_BLOCK
    {2, 1024},        // MAX_BLOCK_DIM_X
    {3, 1024},        // MAX_BLOCK_DIM_Y
    {4, 64},          // MAX_BLOCK_DIM_Z
    {5, 2147483647},  // MAX_GRID_DIM_X
    {6, 65535},       // MAX_GRID_DIM_Y
    {7, 65535},       // MAX_GRID_DIM_Z
    {8, 49152},       // MAX_SHARED_MEMORY_PER_BLOCK
    {9, 65536},       // TOTAL_CONSTANT_MEMORY
    {10, 32},         // WARP_SIZE
    {12, 65536},      // MAX_REGISTERS_PER_BLOCK
    {13, 1980000},    // CLOCK_RATE
    {17, 0},          // KERNEL_EXEC_TIMEOUT
    {18, 0},          // INTEGRATED
    {19, 1},          // CAN_MAP_HOST_MEMORY
    {20, 0},          // COMPUTE_MODE
    {31, 1},          // CONCURRENT_KERNELS
    {32, 1},          // ECC_ENABLED
    {35, 0},          // TCC_DRIVER
    {36, 2619000},    // MEMORY_CLOCK_RATE
    {37, 5120},       // GLOBAL_MEMORY_BUS_WIDTH
    {38, 1 << 20},    // L2_CACHE_SIZE
    {39, 2048},       // MAX_THREADS_PER_MULTIPROCESSOR
    {40, 3},          // ASYNC_ENGINE_COUNT
    {41, 1},          // UNIFIED_ADDRESSING
    {82, 65536},      // MAX_REGISTERS_PER_MULTIPROCESSOR
    {83, 1},          // MANAGED_MEMORY
    {88, 0},          // PAGEABLE_MEMORY_ACCESS
    {89, 1},          // CONCURRENT_MANAGED_ACCESS
    {90, 1},          // COMPUTE_PREEMPTION_SUPPORTED
    {95, 1},          // COOPERATIVE_LAUNCH
    {99, 1},          // HOST_REGISTER_SUPPORTED
    {102, 1},         // VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED
    {103, 1},         // HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED
    {106, 32},        // MAX_BLOCKS_PER_MULTIPROCESSOR
    {111, 1024},      // RESERVED_SHARED_MEMORY_PER_BLOCK
    {116, 1},         // GPU_DIRECT_RDMA_SUPPORTED
    {128, 0},         // HANDLE_TYPE_FABRIC_SUPPORTED
    {132, 0},         // MULTICAST_SUPPORTED
    {133, 0},         // MPS_ENABLED
};

}  // namespace

Device::Device(const Scenario::Section& gpu, std::size_t index, std::string visible_uuid)
    : gpu_(gpu),
      identity_(fake::identity(gpu, index)),
      index_(index),
      visible_uuid_(std::move(visible_uuid)),
      memory_(reserve(identity_.memory_total)),
      cells_(memory_, gpu),
      sm_count_(static_cast<unsigned>(gpu.number("sm_count", 8))) {
  if (gpu.has("stuck_shared")) {
    stuck_shared_ = number_fields(gpu.text("stuck_shared"));
    stuck_shared_.resize(3, 1);
  }
  wrong_results_ = static_cast<std::uint64_t>(gpu.number("wrong_results"));
  if (!gpu.has("bad_sm")) return;
  const auto fields = number_fields(gpu.text("bad_sm"));
  bad_sm_ = fields[0];
  if (fields.size() > 1) bad_sm_mask_ = fields[1];
}

std::optional<int> Device::attribute(int number) const {
  const std::string key = "attribute." + std::to_string(number);
  if (gpu_.has(key)) return static_cast<int>(gpu_.number(key));
  const SharedMemory& shared = shared_memory(compute_capability());
  switch (number) {
    case attribute::multiprocessor_count:
      return static_cast<int>(sm_count_);
    case attribute::integrated:
      return static_cast<int>(gpu_.number("integrated"));
    case attribute::pci_bus_id:
      return static_cast<int>(identity_.pci_bus);
    case attribute::pci_device_id:
      return static_cast<int>(identity_.pci_device);
    case attribute::pci_domain_id:
      return static_cast<int>(identity_.pci_domain);
    case attribute::compute_capability_major:
      return identity_.compute_major;
    case attribute::compute_capability_minor:
      return identity_.compute_minor;
    case attribute::max_shared_memory_per_multiprocessor:
      return shared.per_multiprocessor;
    case attribute::max_shared_memory_per_block_optin:
      return shared.per_block_optin;
    default:
      break;
  }
  const auto found = kOrdinary.find(number);
  if (found == kOrdinary.end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint64_t> Device::allocate(std::uint64_t bytes) {
  const std::uint64_t size = rounded_up(bytes, kAlignment);
  const auto largest = static_cast<std::uint64_t>(gpu_.number("memory.largest", INT64_MAX));
  if (bytes > free_bytes() || size < bytes || bytes > largest) return std::nullopt;
  // The gaps between allocations, bottom to top.
  std::optional<std::uint64_t> place;
  std::uint64_t from = base();
  const auto consider = [&](std::uint64_t to) {
    if (to - from < size) return;
    if (bytes < kLarge) {
      place = (to - size) / kAlignment * kAlignment;
    } else if (!place) {
      place = from;
    }
  };
  for (const auto& [start, length] : allocations_) {
    consider(start);
    from = start + rounded_up(length, kAlignment);
  }
  consider(base() + identity_.memory_total);
  if (!place) return std::nullopt;
  allocations_[*place] = bytes;
  taken_ += bytes;
  return place;
}

bool Device::release(std::uint64_t address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return false;
  taken_ -= found->second;
  allocations_.erase(found);
  return true;
}

bool Device::in_range(std::uint64_t address) const {
  return address >= base() && address - base() < identity_.memory_total;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> Device::allocation(std::uint64_t address) const {
  auto found = allocations_.upper_bound(address);
  if (found == allocations_.begin()) return std::nullopt;
  --found;
  if (address - found->first >= found->second) return std::nullopt;
  return *found;
}

bool Device::owns(std::uint64_t address, std::uint64_t bytes) const {
  const auto found = allocation(address);
  return found && bytes <= found->first + found->second - address;
}

void Device::protect(bool reachable) {
  if (mprotect(memory_, std::max(identity_.memory_total, kPage), reachable ? PROT_READ | PROT_WRITE : PROT_NONE) != 0) {
    std::perror("simulated GPU: mprotect");
    std::abort();
  }
}

unsigned Device::sm_of(unsigned block, std::size_t shared_bytes, unsigned launch) const {
  const auto room = static_cast<std::size_t>(shared_memory(compute_capability()).per_multiprocessor);
  const unsigned neighbours = 2 * (shared_bytes + 1024) <= room ? 2 : 1;
  unsigned usable = sm_count_ - (gpu_.has("idle_sm") ? 1 : 0);
  unsigned slot = (block / neighbours + launch) % std::max(usable, 1U);
  if (gpu_.has("idle_sm") && slot >= static_cast<unsigned>(gpu_.number("idle_sm"))) ++slot;
  return slot + slot / 2;  // 0, 1, 3, 4, 6, 7: every third identifier belongs to no multiprocessor
}

std::uint64_t Device::computed(std::uint64_t bits, unsigned sm) const {
  if (sm == bad_sm_) bits ^= bad_sm_mask_;
  return bits ^ wrong_results_;
}

void Device::load_shared(unsigned sm, std::size_t offset, void* value, std::size_t bytes) const {
  constexpr std::size_t kWord = 8;
  if (stuck_shared_.empty() || stuck_shared_[0] != sm || stuck_shared_[1] != offset || bytes != kWord) return;
  std::uint64_t word = 0;
  std::memcpy(&word, value, kWord);
  word |= stuck_shared_[2];
  std::memcpy(value, &word, kWord);
}

}  // namespace cutopsy::fake
