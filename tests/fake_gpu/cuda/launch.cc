#include "tests/fake_gpu/cuda/launch.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

#include "tests/fake_gpu/cuda/abi.h"
#include "tests/fake_gpu/cuda/fault_report.h"
#include "tests/fake_gpu/cuda/peers.h"

namespace cutopsy::fake {

namespace {

constexpr std::uint64_t kWatchdog = 300'000'000;  // nanoseconds that a kernel may take on a device with a display

// The memory and arithmetic that a launch meets. An access is good within an allocation of its own device, of a peer
// that its context may reach, or of the host's pinned memory.
class Launch final : public kernels::HostFaults {
 public:
  Launch(const Driver& driver, const Context& context, std::size_t shared_bytes, unsigned number)
      : driver_(driver),
        context_(context),
        device_(*context.device),
        shared_bytes_(shared_bytes),
        number_(number),
        wrong_quads_(static_cast<std::uint64_t>(device_.section().number("wrong_quads"))) {}

  void store(void* address, const void* value, std::size_t bytes) override {
    const auto to = reinterpret_cast<std::uint64_t>(address);
    Device* const device = owner(to, bytes);
    if (!device) {
      std::memcpy(address, value, bytes);
      return;
    }
    std::byte passing[16];
    std::memcpy(passing, value, bytes);
    flip(passing, bytes, *device, "peer.store");
    if (bytes == sizeof passing && wrong_quads_ != 0) flip_each_word(passing);
    device->store(to, passing, bytes);
  }

  void load(const void* address, void* value, std::size_t bytes) override {
    const auto from = reinterpret_cast<std::uint64_t>(address);
    Device* const device = owner(from, bytes);
    if (!device) {
      std::memcpy(value, address, bytes);
      return;
    }
    device->load(from, value, bytes);
    flip(value, bytes, *device, "peer.load");
  }

  void load_shared(std::size_t offset, void* value, std::size_t bytes, unsigned sm) override {
    device_.load_shared(sm, offset, value, bytes);
  }
  unsigned sm_of(unsigned block) override { return device_.sm_of(block, shared_bytes_, number_); }
  std::uint64_t computed(std::uint64_t bits, unsigned sm) override { return device_.computed(bits, sm); }
  std::uint64_t nanoseconds() override {
    const std::uint64_t now = HostFaults::nanoseconds();
    const bool is_watched = device_.attribute(attribute::kernel_exec_timeout).value_or(0) != 0;
    if (is_watched && now - start_ > kWatchdog) throw DeviceException{status::launch_timeout};
    return now;
  }
  void fail_assertion(const std::string& printed) override {
    std::fprintf(stderr, "%s\n", printed.c_str());
    throw DeviceException{status::failed_assertion};
  }

 private:
  // Whose memory an address is; nullptr for pinned memory of the host.
  Device* owner(std::uint64_t address, std::size_t bytes) const {
    if (bytes > 16 || address % bytes != 0) throw DeviceException{status::misaligned_address};
    if (device_.owns(address, bytes)) return &device_;
    Device* const peer = driver_.device_at(address);
    if (peer && context_.peers.contains(peer) && peer->owns(address, bytes)) return peer;
    if (!peer && is_pinned(address, bytes)) return nullptr;
    throw DeviceException{status::illegal_address};
  }

  bool is_pinned(std::uint64_t address, std::size_t bytes) const {
    const auto after = driver_.host_memory.upper_bound(address);
    if (after == driver_.host_memory.begin()) return false;
    const auto& [start, length] = *std::prev(after);
    return address - start < length && bytes <= start + length - address;
  }

  void flip(void* value, std::size_t bytes, const Device& other, const char* key) const {
    if (&other == &device_) return;
    const std::uint64_t mask = peer_corruption(device_, other, key);
    std::uint64_t word = 0;
    std::memcpy(&word, value, std::min(bytes, sizeof word));
    word ^= mask;
    std::memcpy(value, &word, std::min(bytes, sizeof word));
  }

  void flip_each_word(std::byte (&quad)[16]) const {
    std::uint64_t words[2];
    std::memcpy(words, quad, sizeof words);
    for (std::uint64_t& word : words) word ^= wrong_quads_;
    std::memcpy(quad, words, sizeof words);
  }

  const Driver& driver_;
  const Context& context_;
  Device& device_;
  std::size_t shared_bytes_;
  unsigned number_;
  std::uint64_t wrong_quads_;
  std::uint64_t start_ = HostFaults::nanoseconds();
};

// Runs the kernel; throws the error in which it ends, as the machine reports it.
void run_reported(const Device& device, const std::function<void()>& run) {
  const Scar scar(device);
  try {
    run();
  } catch (const DeviceException& fault) {
    scar.leave(fault.status);
    const int status = reported(device, fault.status);
    if (status != 0) throw DeviceException{status};
    return;
  }
  scar.leave(0);
}

}  // namespace

void queue_launch(Driver& driver, const kernels::HostKernel& kernel, const kernels::LaunchShape& shape, Stream* stream,
                  void** arguments) {
  std::vector<std::vector<std::byte>> copies;
  for (std::size_t i = 0; i < kernel.argument_bytes.size(); ++i) {
    const auto* const from = static_cast<const std::byte*>(arguments[i]);
    copies.emplace_back(from, from + kernel.argument_bytes[i]);
  }
  Context* const context = driver.current();
  const unsigned number = driver.launches++;
  driver.queue(context, stream, [&driver, &kernel, shape, context, number, copies = std::move(copies)]() mutable {
    const auto error = context->device->section().number("launch_error");
    if (error != 0) throw DeviceException{static_cast<int>(error)};
    std::vector<void*> pointers;
    for (auto& copy : copies) pointers.push_back(copy.data());
    Launch launch(driver, *context, shape.shared_bytes, number);
    run_reported(*context->device, [&] { kernel.run(shape, pointers.data(), launch); });
  });
}

}  // namespace cutopsy::fake
