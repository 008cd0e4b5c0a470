// The state of the simulated driver in one process, and the rules that every call obeys.
//
// Work is queued and done no sooner than something waits for it. An error of the device shows then, and from then on
// in every call that needs a context. Every entry point holds lock() while it runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "kernels/host_machine.h"
#include "tests/fake_gpu/cuda/device.h"
#include "tests/fake_gpu/cuda/image.h"

namespace cutopsy::fake {

struct Context {
  Device* device = nullptr;
  unsigned retained = 0;
  unsigned flags = 0;
  std::set<const Device*> peers;  ///< whose memory its kernels may reach
};

struct Stream {
  Context* context = nullptr;
  bool blocking = true;  ///< ordered with the null stream
};

struct Event {
  Context* context = nullptr;
  Stream* stream = nullptr;
  bool pending = false;
  std::chrono::steady_clock::time_point when;
  bool happened = false;
};

struct Module;

struct Function {
  const kernels::HostKernel* kernel = nullptr;
  Module* module = nullptr;
  int most_shared_bytes = 0;  ///< dynamic shared memory that a launch may ask for
};

struct Module {
  Context* context = nullptr;
  Image image;
  std::map<std::string, Function, std::less<>> functions;
};

struct Work {
  Context* context;
  Stream* stream;  ///< nullptr: the null stream
  std::function<void()> run;
};

enum class Needs { nothing, initialised, context };

class Driver {
 public:
  static Driver& instance();

  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }
  /// What stands in the way of a call: a scenario's error, hang or crash at it, no cuInit yet, a fork since, no
  /// context, an earlier error of the device. 0 when nothing does. `device` is the one that the call names, if any.
  int refusal(std::string_view call, Needs needs, const Device* device = nullptr);

  int cuda_version() const;
  int initialise();
  const std::vector<std::unique_ptr<Device>>& devices() const { return devices_; }
  /// By ordinal, nullptr for none.
  Device* device(int ordinal) const;
  int ordinal_of(const Device* device) const;
  /// The device whose memory holds an address, nullptr for none.
  Device* device_at(std::uint64_t address) const;
  Context& primary_context(Device& device);
  bool is_context(const void* handle) const;
  /// The contexts that the calling thread has pushed; the last one, which may be nullptr, is current.
  std::vector<Context*>& stack();
  Context*& current() { return stack().back(); }

  /// Whether a handle names a stream; the legacy and the per-thread default stream both become the null stream.
  bool is_stream(Stream*& stream) const;
  void queue(Context* context, Stream* stream, std::function<void()> run);
  /// Does what waits in one stream (and, for a blocking one, whatever is ordered before it): 0 or the device's error.
  int finish(Context* context, Stream* stream);
  /// Does all that waits on a context.
  int finish_all(Context* context);
  /// Does one piece of work; false when none waits there.
  bool progress(Context* context, const Stream* stream);
  /// The error that the device has shown, 0 before; sticky.
  int device_error() const { return device_error_; }

  std::set<std::unique_ptr<Stream>> streams;
  std::set<std::unique_ptr<Event>> events;
  std::set<std::unique_ptr<Module>> modules;
  std::map<std::uint64_t, std::uint64_t> host_memory;  ///< pinned or managed, start to size
  unsigned launches = 0;

 private:
  int injected(std::string_view call, const Device* device);
  void run(const Work& work);
  template <typename Belongs>
  bool run_first(Belongs belongs);

  std::mutex mutex_;
  int initialised_in_ = 0;  // process id
  int device_error_ = 0;
  std::vector<std::unique_ptr<Device>> devices_;
  std::map<const Device*, std::unique_ptr<Context>> contexts_;
  std::map<std::thread::id, std::vector<Context*>> stacks_;
  std::deque<Work> work_;
  std::map<std::string, std::int64_t, std::less<>> calls_;  // of those with an error to inject
};

/// The object in a set of owners that a handle points to, nullptr for a handle of anything else.
template <typename T>
T* owned(const std::set<std::unique_ptr<T>>& owners, const void* handle) {
  for (const auto& owner : owners) {
    if (owner.get() == handle) return owner.get();
  }
  return nullptr;
}

}  // namespace cutopsy::fake
