#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

// Queries that every GPU either answers or does not support.
using Query = NvmlStatus (*)(const Nvml&, NvmlDevice);

template <auto Function>
NvmlStatus number(const Nvml& nvml, NvmlDevice device) {
  unsigned value = 0;
  return (nvml.*Function)(device, &value);
}

template <auto Function>
NvmlStatus pair(const Nvml& nvml, NvmlDevice device) {
  unsigned first = 0;
  unsigned second = 0;
  return (nvml.*Function)(device, &first, &second);
}

constexpr Query kQueries[] = {
    [](const Nvml& nvml, NvmlDevice device) {
      NvmlPciInfo pci{};
      return nvml.DeviceGetPciInfo_v3(device, &pci);
    },
    [](const Nvml& nvml, NvmlDevice device) {
      unsigned long long count = 0;
      return nvml.DeviceGetTotalEccErrors(device, kNvmlUncorrected, kNvmlVolatile, &count);
    },
    [](const Nvml& nvml, NvmlDevice device) {
      unsigned corrected = 0, uncorrected = 0, pending = 0, failure = 0;
      return nvml.DeviceGetRemappedRows(device, &corrected, &uncorrected, &pending, &failure);
    },
    [](const Nvml& nvml, NvmlDevice device) { return nvml.temperature(device).status; },
    [](const Nvml& nvml, NvmlDevice device) { return nvml.memory(device).status; },
    [](const Nvml& nvml, NvmlDevice device) { return nvml.utilization(device).status; },
    [](const Nvml& nvml, NvmlDevice device) { return nvml.clocks_reasons(device).status; },
    [](const Nvml& nvml, NvmlDevice device) { return nvml.compute_processes(device).status; },
    [](const Nvml& nvml, NvmlDevice device) { return nvml.field(device, kNvmlFieldRecoveryAction).status; },
    pair<&Nvml::DeviceGetEccMode>,
    pair<&Nvml::DeviceGetMigMode>,
    number<&Nvml::DeviceGetComputeMode>,
    number<&Nvml::DeviceGetPerformanceState>,
    number<&Nvml::DeviceGetPowerUsage>,
    number<&Nvml::DeviceGetCurrPcieLinkGeneration>,
};

Answer failed(const NvmlStatus& status) {
  // Two codes have a check that says what to do.
  if (status.code == kNvmlGpuIsLost || status.code == kNvmlResetRequired) return Answer::could_not_run(status.text());
  if (status.code == kNvmlInsufficientPower) return Answer::could_not_run(status.text() + ": see thermal-power");
  if (status.code == kNvmlNoPermission || status.unsupported()) return unanswered(status);
  return Answer::yes("a health query fails: " + status.text(),
                     "Do not take this GPU for healthy: read the kernel log for Xid messages and reset it.");
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  int answered = 0;
  NvmlStatus refused;
  for (const Query query : kQueries) {
    const NvmlStatus status = query(nvml, device);
    answered += status.ok() ? 1 : 0;
    if (status.ok() || status.unsupported()) continue;
    if (Answer answer = failed(status); answer.reply == Reply::yes) return answer;
    refused = status;
  }
  const std::string count = std::to_string(answered);
  if (!refused.ok()) return failed(refused);
  return Answer::no(count + " health queries are answered, the others are not supported here").with("answered", count);
}

}  // namespace

extern const Check kQueryHealth = {
    .name = "query-health",
    .question = "Does the driver fail to say how the GPU is?",
    .decision =
        "yes when a query ends with an error other than 'not supported' (3), 'no permission' (4), 'lost' (15) "
        "and 'reset required' (16): a GPU whose state cannot be read is not healthy",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask, failed>,
};

}  // namespace cutopsy
