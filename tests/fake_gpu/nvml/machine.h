// The simulated machine as libnvidia-ml shows it: its GPUs, their MIG devices, and what is injected into calls.
//
// Every entry point goes through answer(), which is as strict as NVML: 1 before nvmlInit, 2 for a handle that is none.
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fake_gpu/identity.h"
#include "tests/fake_gpu/scenario.h"
#include "validators/nvml_abi.h"

namespace cutopsy::fake {

/// A GPU or a MIG device: what a handle points to.
struct NvmlGpu {
  const Scenario::Section* section = nullptr;
  std::size_t index = 0;  ///< its place in the scenario
  Identity identity;
  std::string uuid;
  NvmlGpu* parent = nullptr;  ///< of a MIG device
  std::vector<NvmlGpu*> mig_devices;

  bool is_mig_device() const { return parent != nullptr; }
  bool has_mig_enabled() const;
  /// The key as it counts at the moment: `load.KEY`, where there is one, while a process computes on the device.
  std::string key_now(std::string_view key) const;
  NvmlDevice handle() { return reinterpret_cast<NvmlDevice>(this); }
};

class NvmlMachine {
 public:
  static NvmlMachine& instance();

  int initialise();
  int shut_down();
  const std::vector<NvmlGpu*>& gpus() const { return gpus_; }
  NvmlGpu* gpu_of(NvmlDevice handle);
  NvmlGpu* gpu_named(std::string_view uuid);

  /// What keeps a call from being answered, or success: it hangs, crashes, has a code injected, NVML was not
  /// initialised, the GPU is lost.
  int refusal(std::string_view call, const NvmlGpu* gpu);

  /// A number that a key gives; "unsupported" gives NOT_SUPPORTED, as does no key without `otherwise`.
  static int number(const NvmlGpu& gpu, std::string_view key, std::optional<std::int64_t> otherwise,
                    unsigned long long* value);
  static int number(const NvmlGpu& gpu, std::string_view key, std::optional<std::int64_t> otherwise, unsigned* value);
  /// NVML's way to give text.
  static int copy(const std::string& text, char* buffer, std::size_t length);
  /// The value of a counter that grows by KEY.growth with every reading.
  unsigned long long counter(const NvmlGpu& gpu, const std::string& key);
  /// The same as an answer: "unsupported" gives NOT_SUPPORTED.
  int counter(const NvmlGpu& gpu, const std::string& key, unsigned long long* value);

 private:
  NvmlMachine();
  int injected(std::string_view call, const NvmlGpu* gpu);

  int initialisations_ = 0;
  std::deque<NvmlGpu> all_;
  std::vector<NvmlGpu*> gpus_;
  std::map<std::string, long long> calls_;
  std::map<std::pair<const NvmlGpu*, std::string>, unsigned long long> counters_;
};

/// The answer to a call about a device: a refusal, or what `body` makes of the GPU. A MIG device has few answers of its
/// own: those that the call's `for_mig` allows.
template <class Body>
int answer(std::string_view call, NvmlDevice handle, Body body, bool for_mig = false) {
  NvmlMachine& machine = NvmlMachine::instance();
  NvmlGpu* const gpu = machine.gpu_of(handle);
  if (const int code = machine.refusal(call, gpu); code != kNvmlSuccess) return code;
  if (!gpu) return kNvmlInvalidArgument;
  if (gpu->is_mig_device() && !for_mig) return kNvmlNotSupported;
  return body(*gpu);
}

}  // namespace cutopsy::fake
