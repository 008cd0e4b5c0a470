// NVML of this machine, opened at run time: NVIDIA's library of health queries, libnvidia-ml.so.1.
//
// Nothing here sets anything. Errors are values: which call, which code, what it means. A call may block for long or
// crash when a GPU is sick: use it in a child process. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "validators/gpu.h"
#include "validators/nvml_abi.h"

namespace cutopsy {

/// What a call returned.
struct NvmlStatus {
  const char* call = "";
  int code = kNvmlSuccess;

  bool ok() const { return code == kNvmlSuccess; }
  /// Neither the board nor the driver can tell: no sign of a fault.
  bool unsupported() const;
  /// "nvmlDeviceGetEccMode says: the GPU is lost (NVML 15)"
  std::string text() const;
};

/// A value, or the status that says why there is none.
template <class Value>
struct NvmlResult {
  Value value{};
  NvmlStatus status;

  bool ok() const { return status.ok(); }
};

/// One entry point. Calling one that the library lacks gives kNvmlSymbolMissing.
template <class... Arguments>
struct NvmlFunction {
  const char* name;
  int (*function)(Arguments...) = nullptr;

  NvmlStatus operator()(Arguments... arguments) const {
    return {name, function ? function(arguments...) : kNvmlSymbolMissing};
  }
};

struct NvmlMemoryUse {
  std::uint64_t total = 0;
  std::uint64_t free = 0;
  std::uint64_t used = 0;
  std::optional<std::uint64_t> reserved;  ///< absent: the driver is too old to tell it from `used`
};

struct GpuProcess {
  unsigned pid = 0;
  std::optional<std::uint64_t> bytes;  ///< absent where the driver does not count per process (WSL)
  std::string name;                    ///< without folders; "" when it cannot be seen

  /// "process 4242 (python) holds 4.2 GiB"
  std::string text() const;
};

class Nvml {
 public:
  /// Opens and initialises the library; status() tells whether that worked. `library` is for tests.
  explicit Nvml(const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// Of nvmlInit_v2(), or kNvmlLibraryMissing.
  const NvmlStatus& status() const { return status_; }
  /// What the dynamic loader said when the library could not be opened.
  const std::string& loader_message() const { return loader_message_; }

  /// The GPUs in NVML's order. One that NVML counts but cannot open has its index alone.
  std::vector<Gpu> gpus() const;
  /// The MIG devices of a GPU, with indices like "0:1"; empty when MIG is off.
  std::vector<Gpu> mig_devices(const Gpu& gpu) const;

  /// The handle of the GPU itself, also when `gpu` is one of its MIG devices.
  NvmlResult<NvmlDevice> device(const Gpu& gpu) const;
  /// The handle of the GPU or MIG device.
  NvmlResult<NvmlDevice> instance(const Gpu& gpu) const;

  NvmlResult<NvmlMemoryUse> memory(NvmlDevice device) const;
  /// The processes that compute on the device, without our own. In a container they may be invisible.
  NvmlResult<std::vector<GpuProcess>> compute_processes(NvmlDevice device) const;
  /// The processes that draw on it (a desktop), likewise.
  NvmlResult<std::vector<GpuProcess>> graphics_processes(NvmlDevice device) const;
  /// A field's value; `scope` is the link for those that are counted per link.
  NvmlResult<std::uint64_t> field(NvmlDevice device, NvmlField field, unsigned scope = 0) const;
  /// Bits of NvmlClocksReason.
  NvmlResult<std::uint64_t> clocks_reasons(NvmlDevice device) const;
  /// Percent of the last sample period in which a kernel ran.
  NvmlResult<unsigned> utilization(NvmlDevice device) const;
  /// In degrees Celsius, of the GPU itself.
  NvmlResult<unsigned> temperature(NvmlDevice device) const;
  bool mig_enabled(NvmlDevice device) const;

#define CUTOPSY_NVML_MEMBER(name, ...) NvmlFunction<__VA_ARGS__> name{"nvml" #name};
  CUTOPSY_NVML_FUNCTIONS(CUTOPSY_NVML_MEMBER)
#undef CUTOPSY_NVML_MEMBER

 private:
  Gpu describe(NvmlDevice device, std::string index) const;

  void* library_ = nullptr;
  NvmlStatus status_;
  std::string loader_message_;
};

}  // namespace cutopsy
