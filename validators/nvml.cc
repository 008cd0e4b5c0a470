#include "validators/nvml.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include "validators/size_text.h"

namespace cutopsy {

namespace {

struct Meaning {
  int code;
  const char* text;
};

constexpr Meaning kMeanings[] = {
    {kNvmlLibraryMissing, "the library is not installed here"},
    {kNvmlSymbolMissing, "the driver is too old to tell"},
    {kNvmlSuccess, "success"},
    {1, "NVML was not initialised"},
    {kNvmlInvalidArgument, "invalid argument"},
    {kNvmlNotSupported, "not supported here"},
    {kNvmlNoPermission, "no permission"},
    {kNvmlNotFound, "not found"},
    {kNvmlInsufficientSize, "the buffer is too small"},
    {kNvmlInsufficientPower, "the external power cables are not properly attached"},
    {kNvmlDriverNotLoaded, "the driver is not loaded"},
    {kNvmlTimeout, "timed out"},
    {11, "the kernel saw an interrupt problem with a GPU"},
    {12, "a part of the NVML library was not found"},
    {kNvmlFunctionNotFound, "the driver does not have this function"},
    {kNvmlCorruptedInforom, "the infoROM is corrupted"},
    {kNvmlGpuIsLost, "the GPU is lost"},
    {kNvmlResetRequired, "the GPU must be reset before it can be used again"},
    {kNvmlOperatingSystem, "the operating system or a cgroup blocks the device"},
    {kNvmlVersionMismatch, "the library and the kernel module are of different versions"},
    {19, "the GPU is in use"},
    {20, "out of host memory"},
    {21, "no data"},
    {23, "out of resources"},
    {kNvmlArgumentVersionMismatch, "the driver is too old for this question"},
    {26, "the function has been removed"},
    {27, "not ready"},
    {28, "no such GPU"},
    {29, "not possible in this state"},
    {kNvmlUnknown, "unknown error"},
};

constexpr std::uint64_t kNotAvailable = ~std::uint64_t{0};
constexpr unsigned kBusyPercent = 5;  // below, a desktop's drawing and our own queries

std::string file_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

/// Calls a function of NVML's process-list kind until its buffer is large enough.
template <class Info, class Function>
NvmlStatus list(const Function& function, NvmlDevice device, std::vector<Info>* infos) {
  NvmlStatus status;
  unsigned count = 64;
  for (int attempt = 0; attempt < 5; ++attempt) {
    infos->resize(count);
    status = function(device, &count, infos->data());
    if (status.code != kNvmlInsufficientSize) break;
    count += 16;
  }
  infos->resize(status.ok() ? std::min<std::size_t>(count, infos->size()) : 0);
  return status;
}

/// The newest of a list's three functions that the driver has: the two newer ones share a layout.
template <class Newest, class Newer, class Oldest>
NvmlResult<std::vector<GpuProcess>> processes(const Nvml& nvml, NvmlDevice device, const Newest& newest,
                                              const Newer& newer, const Oldest& oldest) {
  NvmlResult<std::vector<GpuProcess>> result;
  const auto add = [&](unsigned pid, std::uint64_t bytes) {
    if (pid == static_cast<unsigned>(getpid())) return;
    GpuProcess& process = result.value.emplace_back();
    process.pid = pid;
    if (bytes != kNotAvailable) process.bytes = bytes;
    std::array<char, 1024> path{};
    if (nvml.SystemGetProcessName(pid, path.data(), path.size() - 1).ok()) process.name = file_name(path.data());
  };
  std::vector<NvmlProcessInfo> infos;
  result.status = list(newest, device, &infos);
  if (result.status.code == kNvmlSymbolMissing) result.status = list(newer, device, &infos);
  for (const NvmlProcessInfo& info : infos) add(info.pid, info.used_memory);
  if (result.status.code != kNvmlSymbolMissing) return result;
  std::vector<NvmlProcessInfoV1> old_infos;
  result.status = list(oldest, device, &old_infos);
  for (const NvmlProcessInfoV1& info : old_infos) add(info.pid, info.used_memory);
  return result;
}

}  // namespace

bool NvmlStatus::unsupported() const {
  return code == kNvmlNotSupported || code == kNvmlSymbolMissing || code == kNvmlFunctionNotFound ||
         code == kNvmlArgumentVersionMismatch;
}

std::string NvmlStatus::text() const {
  if (code == kNvmlLibraryMissing) return "NVIDIA's management library (libnvidia-ml.so.1) cannot be loaded here";
  const auto* const meaning =
      std::find_if(std::begin(kMeanings), std::end(kMeanings), [&](const Meaning& row) { return row.code == code; });
  std::string text = std::string(call) + " says: " + (meaning == std::end(kMeanings) ? "an error" : meaning->text);
  if (code >= 0) text += " (NVML " + std::to_string(code) + ")";
  return text;
}

std::string GpuProcess::text() const {
  std::string text = "process " + std::to_string(pid);
  if (!name.empty()) text += " (" + name + ")";
  return text + " holds " + (bytes ? size_text(*bytes) : "memory");
}

Nvml::Nvml(const std::string& library) {
  library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_) {
    const char* const message = dlerror();
    loader_message_ = message ? message : "";
    status_ = {"dlopen", kNvmlLibraryMissing};
    return;
  }
  const auto bind = [this](auto& entry) {
    entry.function = reinterpret_cast<decltype(entry.function)>(dlsym(library_, entry.name));
  };
#define CUTOPSY_NVML_BIND(name, ...) bind(name);
  CUTOPSY_NVML_FUNCTIONS(CUTOPSY_NVML_BIND)
#undef CUTOPSY_NVML_BIND
  status_ = Init_v2();
}

Nvml::~Nvml() {
  if (status_.ok()) Shutdown();
  if (library_) dlclose(library_);
}

std::vector<Gpu> Nvml::gpus() const {
  std::vector<Gpu> gpus;
  unsigned count = 0;
  if (!status_.ok() || !DeviceGetCount_v2(&count).ok()) return gpus;
  for (unsigned index = 0; index < count; ++index) {
    NvmlDevice device = nullptr;
    if (DeviceGetHandleByIndex_v2(index, &device).ok()) {
      gpus.push_back(describe(device, std::to_string(index)));
    } else {
      gpus.emplace_back().index = std::to_string(index);
    }
  }
  return gpus;
}

std::vector<Gpu> Nvml::mig_devices(const Gpu& gpu) const {
  std::vector<Gpu> devices;
  const auto parent = device(gpu);
  unsigned most = 0;
  if (!parent.ok() || !mig_enabled(parent.value) || !DeviceGetMaxMigDeviceCount(parent.value, &most).ok()) {
    return devices;
  }
  for (unsigned index = 0; index < most; ++index) {
    NvmlDevice mig_device = nullptr;
    if (!DeviceGetMigDeviceHandleByIndex(parent.value, index, &mig_device).ok()) continue;
    devices.push_back(describe(mig_device, gpu.index + ":" + std::to_string(index)));
    devices.back().pci_address = gpu.pci_address;
  }
  return devices;
}

Gpu Nvml::describe(NvmlDevice device, std::string index) const {
  Gpu gpu;
  gpu.index = std::move(index);
  std::array<char, 128> text{};
  if (DeviceGetUUID(device, text.data(), text.size() - 1).ok()) gpu.uuid = text.data();
  text.fill(0);
  if (DeviceGetName(device, text.data(), text.size() - 1).ok()) gpu.name = text.data();
  NvmlPciInfo pci{};
  if (DeviceGetPciInfo_v3(device, &pci).ok()) {
    std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.0", pci.domain, pci.bus, pci.device);
    gpu.pci_address = text.data();
  }
  if (const auto use = memory(device); use.ok()) gpu.memory_bytes = use.value.total;
  const auto others = compute_processes(device);
  for (const GpuProcess& process : others.value) {
    gpu.busy = true;
    gpu.busy_detail += (gpu.busy_detail.empty() ? "" : ", ") + process.text();
  }
  const auto load = utilization(device);
  if (!gpu.busy && load.ok() && load.value > kBusyPercent) {
    gpu.busy = true;
    gpu.busy_detail = "no process can be seen, but it works for " + std::to_string(load.value) + "% of the time";
  }
  return gpu;
}

NvmlResult<NvmlDevice> Nvml::instance(const Gpu& gpu) const {
  NvmlResult<NvmlDevice> result;
  result.status = status_;
  if (!status_.ok()) return result;
  if (!gpu.uuid.empty()) {
    result.status = DeviceGetHandleByUUID(gpu.uuid.c_str(), &result.value);
  } else if (!gpu.pci_address.empty()) {
    result.status = DeviceGetHandleByPciBusId_v2(gpu.pci_address.c_str(), &result.value);
  } else {
    unsigned index = 0;
    std::from_chars(gpu.index.data(), gpu.index.data() + gpu.index.size(), index);
    result.status = DeviceGetHandleByIndex_v2(index, &result.value);
  }
  return result;
}

NvmlResult<NvmlDevice> Nvml::device(const Gpu& gpu) const {
  auto result = instance(gpu);
  if (!result.ok() || !gpu.uuid.starts_with("MIG-")) return result;
  const NvmlDevice mig_device = result.value;
  result.status = DeviceGetDeviceHandleFromMigDeviceHandle(mig_device, &result.value);
  return result;
}

NvmlResult<NvmlMemoryUse> Nvml::memory(NvmlDevice device) const {
  NvmlResult<NvmlMemoryUse> result;
  NvmlMemoryV2 memory{};
  memory.version = nvml_version<NvmlMemoryV2>(2);
  result.status = DeviceGetMemoryInfo_v2(device, &memory);
  if (result.ok()) {
    result.value = {memory.total, memory.free, memory.used, memory.reserved};
    return result;
  }
  if (!result.status.unsupported()) return result;
  NvmlMemory old{};
  result.status = DeviceGetMemoryInfo(device, &old);
  if (result.ok()) result.value = {old.total, old.free, old.used, std::nullopt};
  return result;
}

NvmlResult<std::vector<GpuProcess>> Nvml::compute_processes(NvmlDevice device) const {
  return processes(*this, device, DeviceGetComputeRunningProcesses_v3, DeviceGetComputeRunningProcesses_v2,
                   DeviceGetComputeRunningProcesses);
}

NvmlResult<std::vector<GpuProcess>> Nvml::graphics_processes(NvmlDevice device) const {
  return processes(*this, device, DeviceGetGraphicsRunningProcesses_v3, DeviceGetGraphicsRunningProcesses_v2,
                   DeviceGetGraphicsRunningProcesses);
}

NvmlResult<std::uint64_t> Nvml::field(NvmlDevice device, NvmlField field, unsigned scope) const {
  NvmlResult<std::uint64_t> result;
  NvmlFieldValue value{};
  value.field_id = field;
  value.scope_id = scope;
  result.status = DeviceGetFieldValues(device, 1, &value);
  if (!result.ok()) return result;
  result.status.code = value.code;
  // A driver that does not know the field calls the argument invalid.
  if (value.code == kNvmlInvalidArgument) result.status.code = kNvmlNotSupported;
  switch (value.value_type) {
    case kNvmlDouble:
      result.value = static_cast<std::uint64_t>(std::max(value.value.d, 0.0));
      break;
    case kNvmlSignedInt:
      result.value = static_cast<std::uint64_t>(std::max(value.value.si, 0));
      break;
    case kNvmlSignedLongLong:
      result.value = static_cast<std::uint64_t>(std::max(value.value.sll, 0LL));
      break;
    case kNvmlUnsignedInt:
      result.value = value.value.ui;
      break;
    case kNvmlUnsignedShort:
      result.value = value.value.us;
      break;
    default:
      result.value = value.value.ull;
      break;
  }
  return result;
}

NvmlResult<std::uint64_t> Nvml::clocks_reasons(NvmlDevice device) const {
  NvmlResult<std::uint64_t> result;
  unsigned long long reasons = 0;
  result.status = DeviceGetCurrentClocksEventReasons(device, &reasons);
  if (result.status.code == kNvmlSymbolMissing) result.status = DeviceGetCurrentClocksThrottleReasons(device, &reasons);
  result.value = reasons;
  return result;
}

NvmlResult<unsigned> Nvml::utilization(NvmlDevice device) const {
  NvmlResult<unsigned> result;
  NvmlUtilization rates{};
  result.status = DeviceGetUtilizationRates(device, &rates);
  result.value = rates.gpu;
  return result;
}

NvmlResult<unsigned> Nvml::temperature(NvmlDevice device) const {
  NvmlResult<unsigned> result;
  result.status = DeviceGetTemperature(device, kNvmlGpuSensor, &result.value);
  if (result.status.code != kNvmlSymbolMissing) return result;
  NvmlTemperature temperature{nvml_version<NvmlTemperature>(1), kNvmlGpuSensor, 0};
  result.status = DeviceGetTemperatureV(device, &temperature);
  result.value = static_cast<unsigned>(std::max(temperature.celsius, 0));
  return result;
}

bool Nvml::mig_enabled(NvmlDevice device) const {
  unsigned current = 0;
  unsigned pending = 0;
  return DeviceGetMigMode(device, &current, &pending).ok() && current == 1;
}

}  // namespace cutopsy
