// Calls that give one number each: a table of functions, scenario keys and what a healthy GPU says.
#include <cstdlib>

#include "tests/fake_gpu/load_mark.h"
#include "tests/fake_gpu/nvml/entry_points.h"
#include "tests/fake_gpu/nvml/machine.h"

namespace cutopsy::fake {

extern "C" {

// X(function, key, what is given without the key; std::nullopt for NOT_SUPPORTED)
#define CUTOPSY_NUMBERS(X)                                                    \
  X(nvmlDeviceGetNumaNodeId, "numa_node", std::nullopt)                       \
  X(nvmlDeviceGetDefaultEccMode, "ecc.default", 1)                            \
  X(nvmlDeviceGetUnrepairableMemoryFlag_v1, "remap.unrepairable", 0)          \
  X(nvmlDeviceGetRetiredPagesPendingStatus, "retired.pending", std::nullopt)  \
  X(nvmlDeviceGetCurrPcieLinkGeneration, "pcie.generation", 5)                \
  X(nvmlDeviceGetCurrPcieLinkWidth, "pcie.width", 16)                         \
  X(nvmlDeviceGetMaxPcieLinkGeneration, "pcie.max_generation", 5)             \
  X(nvmlDeviceGetMaxPcieLinkWidth, "pcie.max_width", 16)                      \
  X(nvmlDeviceGetVirtualizationMode, "virtualization", 0)                     \
  X(nvmlDeviceGetPerformanceState, "performance_state", 0)                    \
  X(nvmlDeviceGetPowerUsage, "power.usage", 100'000)                          \
  X(nvmlDeviceGetEnforcedPowerLimit, "power.limit", 700'000)                  \
  X(nvmlDeviceGetPowerManagementDefaultLimit, "power.default_limit", 700'000) \
  X(nvmlDeviceGetComputeMode, "compute_mode", 0)                              \
  X(nvmlDeviceGetPersistenceMode, "persistence", 1)                           \
  X(nvmlDeviceGetDisplayActive, "display_active", 0)

#define CUTOPSY_NUMBER_CALL(function, key, otherwise)                                                   \
  int function(NvmlDevice device, unsigned* value) {                                                    \
    return answer(#function, device,                                                                    \
                  [&](const NvmlGpu& gpu) { return NvmlMachine::number(gpu, key, otherwise, value); }); \
  }
CUTOPSY_NUMBERS(CUTOPSY_NUMBER_CALL)
#undef CUTOPSY_NUMBER_CALL
#undef CUTOPSY_NUMBERS

int nvmlDeviceGetPcieReplayCounter(NvmlDevice device, unsigned* count) {
  return answer("nvmlDeviceGetPcieReplayCounter", device, [&](const NvmlGpu& gpu) -> int {
    unsigned long long wide = 0;
    const int code = NvmlMachine::instance().counter(gpu, "pcie.replays", &wide);
    if (code == kNvmlSuccess) *count = static_cast<unsigned>(wide);
    return code;
  });
}

int nvmlDeviceGetUtilizationRates(NvmlDevice device, NvmlUtilization* rates) {
  return answer("nvmlDeviceGetUtilizationRates", device, [&](const NvmlGpu& gpu) -> int {
    if (gpu.has_mig_enabled()) return kNvmlNotSupported;
    *rates = {};
    return NvmlMachine::number(gpu, "utilization", is_marked(gpu.index) ? 100 : 0, &rates->gpu);
  });
}

int nvmlDeviceGetCurrentClocksEventReasons(NvmlDevice device, unsigned long long* reasons) {
  return answer("nvmlDeviceGetCurrentClocksEventReasons", device, [&](const NvmlGpu& gpu) {
    const bool idle = gpu.section->number("utilization") == 0 && !is_marked(gpu.index);
    return NvmlMachine::number(gpu, "clocks.reasons", idle ? 1 : 0, reasons);
  });
}

int nvmlDeviceGetCurrentClocksThrottleReasons(NvmlDevice device, unsigned long long* reasons) {
  return nvmlDeviceGetCurrentClocksEventReasons(device, reasons);
}

int nvmlDeviceGetClockInfo(NvmlDevice device, unsigned, unsigned* mhz) {
  return answer("nvmlDeviceGetClockInfo", device,
                [&](const NvmlGpu& gpu) { return NvmlMachine::number(gpu, "clocks.sm", 1980, mhz); });
}

int nvmlDeviceGetMaxClockInfo(NvmlDevice device, unsigned, unsigned* mhz) {
  return answer("nvmlDeviceGetMaxClockInfo", device,
                [&](const NvmlGpu& gpu) { return NvmlMachine::number(gpu, "clocks.sm.max", 1980, mhz); });
}

int nvmlDeviceGetTemperature(NvmlDevice device, unsigned, unsigned* celsius) {
  return answer("nvmlDeviceGetTemperature", device,
                [&](const NvmlGpu& gpu) { return NvmlMachine::number(gpu, "temperature", 40, celsius); });
}

int nvmlDeviceGetTemperatureV(NvmlDevice device, NvmlTemperature* temperature) {
  return answer("nvmlDeviceGetTemperatureV", device, [&](const NvmlGpu& gpu) -> int {
    if (temperature->version != nvml_version<NvmlTemperature>(1)) return kNvmlArgumentVersionMismatch;
    unsigned celsius = 0;
    const int code = NvmlMachine::number(gpu, "temperature", 40, &celsius);
    temperature->celsius = static_cast<int>(celsius);
    return code;
  });
}

int nvmlDeviceGetTemperatureThreshold(NvmlDevice device, unsigned, unsigned* celsius) {
  return answer("nvmlDeviceGetTemperatureThreshold", device,
                [&](const NvmlGpu& gpu) { return NvmlMachine::number(gpu, "temperature.slowdown", 92, celsius); });
}

int nvmlDeviceGetBAR1MemoryInfo(NvmlDevice device, NvmlBar1Memory* memory) {
  return answer("nvmlDeviceGetBAR1MemoryInfo", device, [&](const NvmlGpu& gpu) -> int {
    if (gpu.section->text("bar1.total") == "unsupported") return kNvmlNotSupported;
    memory->total = static_cast<std::uint64_t>(gpu.section->number("bar1.total", 256 << 20));
    memory->free = static_cast<std::uint64_t>(gpu.section->number("bar1.free", 250 << 20));
    memory->used = memory->total - memory->free;
    return kNvmlSuccess;
  });
}

int nvmlDeviceGetVbiosVersion(NvmlDevice device, char* version, unsigned length) {
  return answer("nvmlDeviceGetVbiosVersion", device, [&](const NvmlGpu& gpu) {
    return NvmlMachine::copy(gpu.section->text("vbios", "96.00.A5.00.01"), version, length);
  });
}

int nvmlDeviceGetInforomImageVersion(NvmlDevice device, char* version, unsigned length) {
  return answer("nvmlDeviceGetInforomImageVersion", device, [&](const NvmlGpu& gpu) {
    return NvmlMachine::copy(gpu.section->text("inforom", "G520.0280.00.05"), version, length);
  });
}

int nvmlDeviceValidateInforom(NvmlDevice device) {
  return answer("nvmlDeviceValidateInforom", device, [](const NvmlGpu&) { return static_cast<int>(kNvmlSuccess); });
}

int nvmlDeviceGetGspFirmwareMode(NvmlDevice device, unsigned* enabled, unsigned* default_mode) {
  return answer("nvmlDeviceGetGspFirmwareMode", device, [&](const NvmlGpu& gpu) {
    *default_mode = 1;
    return NvmlMachine::number(gpu, "gsp.enabled", 1, enabled);
  });
}

int nvmlDeviceGetGspFirmwareVersion(NvmlDevice device, char* version) {
  return answer("nvmlDeviceGetGspFirmwareVersion", device, [&](const NvmlGpu& gpu) -> int {
    if (gpu.section->number("gsp.enabled", 1) == 0) return kNvmlNotSupported;
    return NvmlMachine::copy(Scenario::current().driver().text("driver_version", "580.65.06"), version, 80);
  });
}

}  // extern "C"

}  // namespace cutopsy::fake
