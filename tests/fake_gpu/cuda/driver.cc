#include "tests/fake_gpu/cuda/driver.h"

#include <dlfcn.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "tests/fake_gpu/cuda/absent_symbols.h"
#include "tests/fake_gpu/cuda/visible_devices.h"

namespace cutopsy::fake {

namespace {

// A misspelt name must not pass for a healthy scenario.
void check_function_names(const Scenario::Section& section) {
  std::vector<std::string> names;
  for (const char* key : {"missing", "hang", "crash"}) {
    for (const std::string& name : section.words(key)) names.push_back(name);
  }
  for (const auto& [key, value] : section.values) {
    if (key.starts_with("cu.")) names.push_back(key.substr(3));
  }
  Dl_info library{};
  dladdr(reinterpret_cast<void*>(&check_function_names), &library);
  void* const self = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  for (const std::string& name : names) {
    if (!name.starts_with("cu") || dlsym(self, name.c_str())) continue;
    std::fprintf(stderr, "simulated GPU: no such function: %s\n", name.c_str());
    std::abort();
  }
  dlclose(self);
}

// Before anybody can look a symbol up.
__attribute__((constructor)) void prepare() {
  const Scenario& scenario = Scenario::current();
  check_function_names(scenario.driver());
  for (const Scenario::Section& gpu : scenario.gpus()) check_function_names(gpu);
  hide_symbols(scenario.driver().words("missing"));
}

// Errors after which a real context is lost: driver API reference, CUresult.
bool is_sticky(int status) {
  static constexpr std::array kSticky = {214, 220, 226, 700, 702, 710, 714, 715, 716, 717, 718, 719, 721};
  return std::find(kSticky.begin(), kSticky.end(), status) != kSticky.end();
}

bool is_listed(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<PhysicalDevice> physical_devices(const Scenario& scenario) {
  std::vector<PhysicalDevice> machine;
  for (std::size_t i = 0; i < scenario.gpus().size(); ++i) {
    const auto& gpu = scenario.gpus()[i];
    const Identity it = identity(gpu, i);
    PhysicalDevice device;
    device.uuid = it.uuid;
    device.mig = gpu.words("mig.devices");
    device.mig_enabled = gpu.number("mig.mode", device.mig.empty() ? 0 : 1) != 0;
    device.speed = (10 * it.compute_major + it.compute_minor) * 1000 + static_cast<int>(gpu.number("sm_count", 8));
    machine.push_back(std::move(device));
  }
  return machine;
}

}  // namespace

Driver& Driver::instance() {
  static Driver* const driver = new Driver;  // never destroyed: programs exit with work in flight
  return *driver;
}

int Driver::cuda_version() const {
  return static_cast<int>(Scenario::current().driver().number("cuda_version", 13000));
}

// "cu.NAME = CODE" or "cu.NAME = CODE after N": the first N calls go well.
int Driver::injected(std::string_view call, const Device* device) {
  const std::string key = "cu." + std::string(call);
  const Scenario::Section* section = &Scenario::current().driver();
  if (device && device->section().has(key)) section = &device->section();
  const std::string value = section->text(key);
  if (value.empty()) return 0;
  int code = 0;
  long long after = 0;
  if (std::sscanf(value.c_str(), "%d after %lld", &code, &after) < 1) {
    std::fprintf(stderr, "simulated GPU: no error code: %s = %s\n", key.c_str(), value.c_str());
    std::abort();
  }
  return calls_[key]++ < after ? 0 : code;
}

int Driver::refusal(std::string_view call, Needs needs, const Device* device) {
  const Context* context = current();
  if (!device && context) device = context->device;
  for (const Scenario::Section* section : {&Scenario::current().driver(), device ? &device->section() : nullptr}) {
    if (section && is_listed(section->words("crash"), call)) raise(SIGSEGV);
    while (section && is_listed(section->words("hang"), call)) pause();
  }
  if (needs != Needs::nothing && initialised_in_ != getpid()) return status::not_initialized;
  if (needs == Needs::context && !context) return status::invalid_context;
  if (needs == Needs::context && device_error_ != 0) return device_error_;
  const int code = injected(call, device);
  if (needs == Needs::context && is_sticky(code)) device_error_ = code;
  return code;
}

int Driver::initialise() {
  if (initialised_in_ != 0 && initialised_in_ != getpid()) return status::not_initialized;
  if (initialised_in_ == 0) {
    const Scenario& scenario = Scenario::current();
    for (const VisibleDevice& visible : visible_devices(physical_devices(scenario), std::getenv("CUDA_VISIBLE_DEVICES"),
                                                        std::getenv("CUDA_DEVICE_ORDER"))) {
      devices_.push_back(std::make_unique<Device>(scenario.gpus()[visible.physical], visible.physical, visible.uuid));
    }
  }
  if (devices_.empty()) return status::no_device;
  initialised_in_ = getpid();
  return status::success;
}

Device* Driver::device(int ordinal) const {
  if (ordinal < 0 || static_cast<std::size_t>(ordinal) >= devices_.size()) return nullptr;
  return devices_[static_cast<std::size_t>(ordinal)].get();
}

int Driver::ordinal_of(const Device* device) const {
  const auto found = std::find_if(devices_.begin(), devices_.end(), [&](const auto& d) { return d.get() == device; });
  return static_cast<int>(found - devices_.begin());
}

Device* Driver::device_at(std::uint64_t address) const {
  const auto found =
      std::find_if(devices_.begin(), devices_.end(), [&](const auto& d) { return d->in_range(address); });
  return found == devices_.end() ? nullptr : found->get();
}

Context& Driver::primary_context(Device& device) {
  auto& context = contexts_[&device];
  if (!context) {
    context = std::make_unique<Context>();
    context->device = &device;
  }
  return *context;
}

bool Driver::is_context(const void* handle) const {
  return std::any_of(contexts_.begin(), contexts_.end(),
                     [&](const auto& entry) { return entry.second.get() == handle && entry.second->retained > 0; });
}

std::vector<Context*>& Driver::stack() {
  auto& stack = stacks_[std::this_thread::get_id()];
  if (stack.empty()) stack.push_back(nullptr);
  return stack;
}

bool Driver::is_stream(Stream*& stream) const {
  const auto handle = reinterpret_cast<std::uintptr_t>(stream);
  if (handle <= 2) stream = nullptr;  // CU_STREAM_LEGACY is 1, CU_STREAM_PER_THREAD 2
  return !stream || owned(streams, stream);
}

void Driver::queue(Context* context, Stream* stream, std::function<void()> run) {
  work_.push_back({context, stream, std::move(run)});
}

void Driver::run(const Work& work) {
  if (device_error_ != 0) return;  // a dead context does no more work
  for (const auto& device : devices_) device->open();
  try {
    work.run();
  } catch (const DeviceException& exception) {
    device_error_ = exception.status;
  }
  for (const auto& device : devices_) device->close();
}

template <typename Belongs>
bool Driver::run_first(Belongs belongs) {
  const auto next = std::find_if(work_.begin(), work_.end(), belongs);
  if (next == work_.end()) return false;
  const Work work = std::move(*next);
  work_.erase(next);
  run(work);
  return true;
}

int Driver::finish(Context* context, Stream* stream) {
  const bool blocking = !stream || stream->blocking;
  while (run_first([&](const Work& work) {
    if (work.context != context) return false;
    return work.stream == stream || (blocking && (!work.stream || work.stream->blocking));
  })) {
  }
  return device_error_;
}

int Driver::finish_all(Context* context) {
  while (run_first([&](const Work& work) { return work.context == context; })) {
  }
  return device_error_;
}

bool Driver::progress(Context* context, const Stream* stream) {
  return run_first([&](const Work& work) { return work.context == context && work.stream == stream; });
}

}  // namespace cutopsy::fake
