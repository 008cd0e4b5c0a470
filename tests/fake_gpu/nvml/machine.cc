#include "tests/fake_gpu/nvml/machine.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

#include "tests/fake_gpu/cuda/absent_symbols.h"
#include "tests/fake_gpu/load_mark.h"
#include "tests/fake_gpu/nvml/entry_points.h"

namespace cutopsy::fake {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  std::fprintf(stderr, "simulated NVML: %s\n", what.c_str());
  std::abort();
}

bool is_listed(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Each is named by its address as well: the library does not link when a definition is missing.
bool is_entry_point(std::string_view name) {
#define CUTOPSY_ENTRY_POINT(function, ...) {"nvml" #function, reinterpret_cast<void*>(&nvml##function)},
  const std::pair<std::string_view, void*> entry_points[] = {CUTOPSY_NVML_FUNCTIONS(CUTOPSY_ENTRY_POINT)};
#undef CUTOPSY_ENTRY_POINT
  return std::any_of(std::begin(entry_points), std::end(entry_points),
                     [&](const auto& entry_point) { return entry_point.first == name; });
}

// A misspelt name must not pass for a healthy scenario.
void check_function_names(const Scenario::Section& section) {
  std::vector<std::string> names = section.words("missing");
  for (const auto& [key, value] : section.values) {
    if (key.starts_with("nvml.")) names.push_back(key.substr(5));
  }
  for (const std::string& name : names) {
    if (name.starts_with("nvml") && !is_entry_point(name)) refuse("no such function: " + name);
  }
}

// Before anybody can look a symbol up.
__attribute__((constructor)) void prepare() {
  const Scenario& scenario = Scenario::current();
  check_function_names(scenario.driver());
  for (const Scenario::Section& gpu : scenario.gpus()) check_function_names(gpu);
  hide_symbols(scenario.driver().words("missing"));
}

}  // namespace

bool NvmlGpu::has_mig_enabled() const {
  if (is_mig_device() || section->text("mig.mode") == "unsupported") return false;
  return section->number("mig.mode", mig_devices.empty() ? 0 : 1) != 0;
}

std::string NvmlGpu::key_now(std::string_view key) const {
  const std::string under_load = "load." + std::string(key);
  return section->has(under_load) && is_marked(index) ? under_load : std::string(key);
}

NvmlMachine& NvmlMachine::instance() {
  static NvmlMachine machine;
  return machine;
}

NvmlMachine::NvmlMachine() {
  const auto& sections = Scenario::current().gpus();
  for (std::size_t index = 0; index < sections.size(); ++index) {
    NvmlGpu& gpu = all_.emplace_back();
    gpu.section = &sections[index];
    gpu.index = index;
    gpu.identity = identity(sections[index], index);
    gpu.uuid = gpu.identity.uuid;
    gpus_.push_back(&gpu);
    for (const std::string& uuid : sections[index].words("mig.devices")) {
      NvmlGpu& part = all_.emplace_back();
      part = {gpu.section, index, gpu.identity, uuid, &gpu, {}};
      gpu.mig_devices.push_back(&part);
    }
  }
}

int NvmlMachine::initialise() {
  const int code = injected("nvmlInit_v2", nullptr);
  if (code == kNvmlSuccess) ++initialisations_;
  return code;
}

int NvmlMachine::shut_down() {
  if (initialisations_ == 0) return 1;
  --initialisations_;
  return kNvmlSuccess;
}

NvmlGpu* NvmlMachine::gpu_of(NvmlDevice handle) {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](NvmlGpu& gpu) { return gpu.handle() == handle; });
  return found == all_.end() ? nullptr : &*found;
}

NvmlGpu* NvmlMachine::gpu_named(std::string_view uuid) {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const NvmlGpu& gpu) { return gpu.uuid == uuid; });
  return found == all_.end() ? nullptr : &*found;
}

// "nvml.NAME = CODE" or "nvml.NAME = CODE after N": the first N calls go well.
int NvmlMachine::injected(std::string_view call, const NvmlGpu* gpu) {
  const Scenario::Section& driver = Scenario::current().driver();
  for (const Scenario::Section* section : {&driver, gpu ? gpu->section : nullptr}) {
    if (section && is_listed(section->words("crash"), call)) raise(SIGSEGV);
    while (section && is_listed(section->words("hang"), call)) pause();
  }
  const std::string key = "nvml." + std::string(call);
  const std::string value = gpu && gpu->section->has(key) ? gpu->section->text(key) : driver.text(key);
  if (value.empty()) return kNvmlSuccess;
  int code = 0;
  long long after = 0;
  if (std::sscanf(value.c_str(), "%d after %lld", &code, &after) < 1) refuse("no error code: " + key + " = " + value);
  return calls_[key]++ < after ? static_cast<int>(kNvmlSuccess) : code;
}

int NvmlMachine::refusal(std::string_view call, const NvmlGpu* gpu) {
  if (initialisations_ == 0) return 1;
  if (const int code = injected(call, gpu); code != kNvmlSuccess) return code;
  return gpu && gpu->section->number("lost") != 0 ? kNvmlGpuIsLost : kNvmlSuccess;
}

int NvmlMachine::number(const NvmlGpu& gpu, std::string_view key, std::optional<std::int64_t> otherwise,
                        unsigned long long* value) {
  if (!value) return kNvmlInvalidArgument;
  const std::string now = gpu.key_now(key);
  if (gpu.section->text(now) == "unsupported" || (!gpu.section->has(now) && !otherwise)) return kNvmlNotSupported;
  *value = static_cast<unsigned long long>(gpu.section->number(now, otherwise.value_or(0)));
  return kNvmlSuccess;
}

int NvmlMachine::number(const NvmlGpu& gpu, std::string_view key, std::optional<std::int64_t> otherwise,
                        unsigned* value) {
  if (!value) return kNvmlInvalidArgument;
  unsigned long long wide = 0;
  const int code = number(gpu, key, otherwise, &wide);
  if (code == kNvmlSuccess) *value = static_cast<unsigned>(wide);
  return code;
}

int NvmlMachine::copy(const std::string& text, char* buffer, std::size_t length) {
  if (!buffer) return kNvmlInvalidArgument;
  if (length <= text.size()) return kNvmlInsufficientSize;
  std::memcpy(buffer, text.c_str(), text.size() + 1);
  return kNvmlSuccess;
}

int NvmlMachine::counter(const NvmlGpu& gpu, const std::string& key, unsigned long long* value) {
  const int code = number(gpu, key, 0, value);
  if (code == kNvmlSuccess) *value = counter(gpu, key);
  return code;
}

unsigned long long NvmlMachine::counter(const NvmlGpu& gpu, const std::string& key) {
  unsigned long long& grown = counters_[{&gpu, key}];
  const unsigned long long value = static_cast<unsigned long long>(gpu.section->number(key)) + grown;
  grown += static_cast<unsigned long long>(gpu.section->number(key + ".growth"));
  return value;
}

}  // namespace cutopsy::fake
