#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

constexpr unsigned kLoaded = 50;      // percent
constexpr unsigned kLowPercent = 70;  // of the highest clock; own proposal

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  const auto reasons = nvml.clocks_reasons(device);
  if (!reasons.ok()) return unanswered(reasons.status);
  unsigned current = 0;
  unsigned highest = 0;
  for (const NvmlStatus& status : {nvml.DeviceGetClockInfo(device, kNvmlSmClock, &current),
                                   nvml.DeviceGetMaxClockInfo(device, kNvmlSmClock, &highest)}) {
    if (!status.ok()) return unanswered(status);
  }
  const auto load = nvml.utilization(device);
  if (!load.ok() && !load.status.unsupported()) return unanswered(load.status);
  const std::string seen = std::to_string(current) + " of " + std::to_string(highest) + " MHz";
  const bool low = std::uint64_t{current} * 100 < std::uint64_t{highest} * kLowPercent;
  Answer answer = Answer::no(seen);
  if (!load.ok() || load.value < kLoaded) {
    answer = Answer::undecided(seen + ", but the GPU has little to do", "Look again while the job runs.");
  } else if (low && reasons.value == kNvmlReasonApplicationClocks) {
    answer = Answer::yes(seen + " by a setting, while the GPU works",
                         "Undo it: nvidia-smi --reset-gpu-clocks and --reset-applications-clocks.");
  } else if (low) {
    answer = Answer::undecided(seen + " while the GPU works; a setting is not the only reason, see thermal-power");
  }
  return std::move(answer)
      .with("sm_clock_mhz", std::to_string(current))
      .with("clocks_event_reasons", std::to_string(reasons.value));
}

}  // namespace

extern const Check kClockLock = {
    .name = "clock-lock",
    .question = "Are the GPU's clocks held low by a setting?",
    .decision =
        "yes when the clock is below 70% of its maximum under load (own proposal) and the only reason is the "
        "clocks' setting (0x2); unknown without load or with other reasons",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
