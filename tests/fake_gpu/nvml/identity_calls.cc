// Who is there: start and end of NVML, the list of GPUs, their names, memory and processes.
#include <algorithm>
#include <array>
#include <cstdio>

#include "tests/fake_gpu/nvml/entry_points.h"
#include "tests/fake_gpu/nvml/machine.h"

namespace cutopsy::fake {

namespace {

constexpr std::uint64_t kNotAvailable = ~std::uint64_t{0};

struct SimulatedProcess {
  unsigned pid = 0;
  std::uint64_t bytes = 0;
  std::string name;
};

// "4242:1 GiB:python, 77::hidden": what is empty is not available.
std::vector<SimulatedProcess> processes_of(const Scenario::Section& section, std::string_view key) {
  std::vector<SimulatedProcess> processes;
  for (const std::string& word : section.words(key)) {
    const std::size_t first = word.find(':');
    const std::size_t second = word.find(':', first + 1);
    Scenario::Section parts;
    parts.values["pid"] = word.substr(0, first);
    if (second > first + 1) parts.values["bytes"] = word.substr(first + 1, second - first - 1);
    SimulatedProcess& process = processes.emplace_back();
    process.pid = static_cast<unsigned>(parts.number("pid"));
    process.bytes = static_cast<std::uint64_t>(parts.number("bytes", static_cast<std::int64_t>(kNotAvailable)));
    if (second != std::string::npos) process.name = word.substr(second + 1);
  }
  return processes;
}

template <class Info>
int list(std::string_view call, NvmlDevice device, std::string_view key, unsigned* count, Info* infos) {
  return answer(
      call, device,
      [&](const NvmlGpu& gpu) -> int {
        if (!count) return kNvmlInvalidArgument;
        if (gpu.section->text(key) == "unsupported") return kNvmlNotSupported;
        const auto processes = processes_of(*gpu.section, key);
        const unsigned room = *count;
        *count = static_cast<unsigned>(processes.size());
        if (processes.size() > room) return kNvmlInsufficientSize;
        for (std::size_t i = 0; i < processes.size(); ++i) {
          infos[i] = {};
          infos[i].pid = processes[i].pid;
          infos[i].used_memory = processes[i].bytes;
        }
        return kNvmlSuccess;
      },
      true);
}

NvmlMemoryV2 memory_of(const NvmlGpu& gpu) {
  NvmlMemoryV2 memory{};
  memory.total = gpu.identity.memory_total;
  memory.free = gpu.identity.memory_free;
  memory.reserved = static_cast<std::uint64_t>(gpu.section->number("memory.reserved"));
  memory.used = memory.total - memory.free - memory.reserved;
  return memory;
}

int give_handle(std::string_view call, NvmlGpu* gpu, NvmlDevice* device) {
  if (const int code = NvmlMachine::instance().refusal(call, gpu); code != kNvmlSuccess) return code;
  if (!device) return kNvmlInvalidArgument;
  if (!gpu) return kNvmlNotFound;
  *device = gpu->handle();
  return kNvmlSuccess;
}

int system_text(std::string_view call, const std::string& text, char* buffer, unsigned length) {
  const int code = NvmlMachine::instance().refusal(call, nullptr);
  return code == kNvmlSuccess ? NvmlMachine::copy(text, buffer, length) : code;
}

}  // namespace

extern "C" {

int nvmlInit_v2() {
  return NvmlMachine::instance().initialise();
}

int nvmlShutdown() {
  return NvmlMachine::instance().shut_down();
}

int nvmlSystemGetDriverVersion(char* version, unsigned length) {
  return system_text("nvmlSystemGetDriverVersion", Scenario::current().driver().text("driver_version", "580.65.06"),
                     version, length);
}

int nvmlSystemGetNVMLVersion(char* version, unsigned length) {
  const Scenario::Section& driver = Scenario::current().driver();
  return NvmlMachine::copy(driver.text("nvml_version", "13." + driver.text("driver_version", "580.65.06")), version,
                           length);
}

int nvmlSystemGetProcessName(unsigned pid, char* name, unsigned length) {
  for (const NvmlGpu* gpu : NvmlMachine::instance().gpus()) {
    for (const char* key : {"processes", "graphics_processes"}) {
      for (const SimulatedProcess& process : processes_of(*gpu->section, key)) {
        if (process.pid == pid) {
          return system_text("nvmlSystemGetProcessName", "/usr/bin/" + process.name, name, length);
        }
      }
    }
  }
  return kNvmlNotFound;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  const int code = NvmlMachine::instance().refusal("nvmlDeviceGetCount_v2", nullptr);
  if (code == kNvmlSuccess) *count = static_cast<unsigned>(NvmlMachine::instance().gpus().size());
  return code;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, NvmlDevice* device) {
  const auto& gpus = NvmlMachine::instance().gpus();
  if (index >= gpus.size()) return kNvmlInvalidArgument;
  return give_handle("nvmlDeviceGetHandleByIndex_v2", gpus[index], device);
}

int nvmlDeviceGetHandleByUUID(const char* uuid, NvmlDevice* device) {
  return give_handle("nvmlDeviceGetHandleByUUID", NvmlMachine::instance().gpu_named(uuid), device);
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* address, NvmlDevice* device) {
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned slot = 0;
  if (std::sscanf(address, "%x:%x:%x", &domain, &bus, &slot) != 3) return kNvmlInvalidArgument;
  const auto& gpus = NvmlMachine::instance().gpus();
  const auto found = std::find_if(gpus.begin(), gpus.end(), [&](const NvmlGpu* gpu) {
    const Identity& it = gpu->identity;
    return it.pci_domain == domain && it.pci_bus == bus && it.pci_device == slot;
  });
  return give_handle("nvmlDeviceGetHandleByPciBusId_v2", found == gpus.end() ? nullptr : *found, device);
}

int nvmlDeviceGetName(NvmlDevice device, char* name, unsigned length) {
  return answer(
      "nvmlDeviceGetName", device,
      [&](const NvmlGpu& gpu) {
        return NvmlMachine::copy(gpu.identity.name + (gpu.is_mig_device() ? " MIG" : ""), name, length);
      },
      true);
}

int nvmlDeviceGetUUID(NvmlDevice device, char* uuid, unsigned length) {
  return answer(
      "nvmlDeviceGetUUID", device, [&](const NvmlGpu& gpu) { return NvmlMachine::copy(gpu.uuid, uuid, length); }, true);
}

int nvmlDeviceGetPciInfo_v3(NvmlDevice device, NvmlPciInfo* pci) {
  return answer("nvmlDeviceGetPciInfo_v3", device, [&](const NvmlGpu& gpu) {
    const Identity& it = gpu.identity;
    *pci = {};
    pci->domain = it.pci_domain;
    pci->bus = it.pci_bus;
    pci->device = it.pci_device;
    std::snprintf(pci->bus_id, sizeof pci->bus_id, "%08X:%02X:%02X.0", it.pci_domain, it.pci_bus, it.pci_device);
    return static_cast<int>(kNvmlSuccess);
  });
}

int nvmlDeviceGetMemoryInfo(NvmlDevice device, NvmlMemory* memory) {
  return answer(
      "nvmlDeviceGetMemoryInfo", device,
      [&](const NvmlGpu& gpu) -> int {
        const NvmlMemoryV2 use = memory_of(gpu);
        *memory = {use.total, use.free, use.used + use.reserved};
        return kNvmlSuccess;
      },
      true);
}

int nvmlDeviceGetMemoryInfo_v2(NvmlDevice device, NvmlMemoryV2* memory) {
  return answer(
      "nvmlDeviceGetMemoryInfo_v2", device,
      [&](const NvmlGpu& gpu) -> int {
        if (memory->version != nvml_version<NvmlMemoryV2>(2)) return kNvmlArgumentVersionMismatch;
        *memory = memory_of(gpu);
        return kNvmlSuccess;
      },
      true);
}

int nvmlDeviceGetComputeRunningProcesses(NvmlDevice device, unsigned* count, NvmlProcessInfoV1* infos) {
  return list("nvmlDeviceGetComputeRunningProcesses", device, "processes", count, infos);
}

int nvmlDeviceGetComputeRunningProcesses_v2(NvmlDevice device, unsigned* count, NvmlProcessInfo* infos) {
  return list("nvmlDeviceGetComputeRunningProcesses_v2", device, "processes", count, infos);
}

int nvmlDeviceGetComputeRunningProcesses_v3(NvmlDevice device, unsigned* count, NvmlProcessInfo* infos) {
  return list("nvmlDeviceGetComputeRunningProcesses_v3", device, "processes", count, infos);
}

int nvmlDeviceGetGraphicsRunningProcesses(NvmlDevice device, unsigned* count, NvmlProcessInfoV1* infos) {
  return list("nvmlDeviceGetGraphicsRunningProcesses", device, "graphics_processes", count, infos);
}

int nvmlDeviceGetGraphicsRunningProcesses_v2(NvmlDevice device, unsigned* count, NvmlProcessInfo* infos) {
  return list("nvmlDeviceGetGraphicsRunningProcesses_v2", device, "graphics_processes", count, infos);
}

int nvmlDeviceGetGraphicsRunningProcesses_v3(NvmlDevice device, unsigned* count, NvmlProcessInfo* infos) {
  return list("nvmlDeviceGetGraphicsRunningProcesses_v3", device, "graphics_processes", count, infos);
}

int nvmlDeviceGetMigMode(NvmlDevice device, unsigned* current, unsigned* pending) {
  return answer("nvmlDeviceGetMigMode", device, [&](const NvmlGpu& gpu) -> int {
    if (gpu.section->text("mig.mode") == "unsupported") return kNvmlNotSupported;
    *current = gpu.has_mig_enabled() ? 1 : 0;
    *pending = static_cast<unsigned>(gpu.section->number("mig.pending", *current));
    return kNvmlSuccess;
  });
}

int nvmlDeviceGetMaxMigDeviceCount(NvmlDevice device, unsigned* count) {
  return answer("nvmlDeviceGetMaxMigDeviceCount", device, [&](const NvmlGpu& gpu) -> int {
    *count = gpu.has_mig_enabled() ? 7 : 0;
    return kNvmlSuccess;
  });
}

int nvmlDeviceGetMigDeviceHandleByIndex(NvmlDevice device, unsigned index, NvmlDevice* mig_device) {
  return answer("nvmlDeviceGetMigDeviceHandleByIndex", device, [&](const NvmlGpu& gpu) -> int {
    if (index >= gpu.mig_devices.size()) return kNvmlNotFound;
    *mig_device = gpu.mig_devices[index]->handle();
    return kNvmlSuccess;
  });
}

int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(NvmlDevice mig_device, NvmlDevice* device) {
  return answer(
      "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", mig_device,
      [&](const NvmlGpu& gpu) -> int {
        if (!gpu.is_mig_device()) return kNvmlInvalidArgument;
        *device = gpu.parent->handle();
        return kNvmlSuccess;
      },
      true);
}

}  // extern "C"

}  // namespace cutopsy::fake
