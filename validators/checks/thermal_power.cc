#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/slowdown.h"

namespace cutopsy {

namespace {

constexpr unsigned kLoaded = 50;  // percent: below, heat and power say nothing of a job's

// Empty when the board has no such limits, or the limit is the default.
std::string lowered_limit(const Nvml& nvml, NvmlDevice device) {
  unsigned enforced = 0;
  unsigned shipped = 0;
  const bool known = nvml.DeviceGetEnforcedPowerLimit(device, &enforced).ok() &&
                     nvml.DeviceGetPowerManagementDefaultLimit(device, &shipped).ok();
  if (!known || enforced >= shipped) return "";
  return "power is limited to " + std::to_string(enforced / 1000) + " W, below the default of " +
         std::to_string(shipped / 1000) + " W";
}

Answer closed(const NvmlStatus& status) {
  if (status.code != kNvmlInsufficientPower) return unanswered(status);
  return Answer::yes(status.text(), "Connect all power cables of the GPU.");
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  const auto reasons = nvml.clocks_reasons(device);
  if (!reasons.ok()) return closed(reasons.status);
  unsigned threshold = 0;
  const auto heat = nvml.temperature(device);
  const bool knows_threshold = nvml.DeviceGetTemperatureThreshold(device, kNvmlSlowdownThreshold, &threshold).ok();
  std::string causes = slowdown_in(reasons.value);
  if (causes.empty() && heat.ok() && knows_threshold && heat.value >= threshold) {
    causes = std::to_string(heat.value) + " C is at the GPU's slowdown temperature";
  }
  if (causes.empty()) causes = lowered_limit(nvml, device);
  const auto load = nvml.utilization(device);
  Answer answer = Answer::no("neither heat nor power lowers the clocks under load");
  if (!causes.empty()) {
    answer = Answer::yes(causes, "Check fans, airflow and power supply; see nvidia-smi -q -d PERFORMANCE,POWER.");
  } else if (!load.ok() || load.value < kLoaded) {
    answer = Answer::undecided("neither heat nor power lowers the clocks, but the GPU has little to do",
                               "Look again while the job runs.");
  }
  return std::move(answer)
      .with("temperature_celsius", heat.ok() ? std::to_string(heat.value) : "")
      .with("clocks_event_reasons", std::to_string(reasons.value));
}

}  // namespace

extern const Check kThermalPower = {
    .name = "thermal-power",
    .question = "Is the GPU slowed down by heat or by its power supply?",
    .decision =
        "yes when the clocks' reasons name a thermal slowdown (0x20, 0x40), the power brake (0x80) or a "
        "hardware slowdown (0x8), at the slowdown temperature, below the default power limit, or with power "
        "cables missing; unknown without load; the software power cap (0x4) is normal",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask, closed>,
};

}  // namespace cutopsy
