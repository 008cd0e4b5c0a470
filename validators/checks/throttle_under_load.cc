#include <algorithm>
#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/checks/under_load.h"
#include "validators/slowdown.h"

namespace cutopsy {

namespace {

constexpr std::size_t kLeastSlowed = 2;  // moments: one may be a glitch

Answer judge(const LoadRecord& record, std::size_t slowed, std::uint64_t reasons) {
  const std::string moments = std::to_string(record.samples.size()) + " moments under load";
  if (slowed >= kLeastSlowed) {
    return Answer::yes(slowdown_in(reasons) + ", in " + std::to_string(slowed) + " of " + moments,
                       "Check fans, airflow and power supply; see nvidia-smi -q -d PERFORMANCE,POWER.");
  }
  if (!record.blind.ok()) return unanswered(record.blind);
  if (record.samples.size() < kLeastLoaded) return too_short_a_load(record.samples.size());
  if (slowed > 0) return Answer::undecided(slowdown_in(reasons) + ", in one of " + moments);
  return Answer::no("neither heat nor power lowered the clocks in " + moments);
}

Answer ask(const Inquiry& inquiry) {
  const LoadRecord& record = *inquiry.record;
  std::size_t slowed = 0;
  std::uint64_t reasons = 0;
  unsigned hottest = 0, strongest = 0;
  for (const LoadSample& sample : record.samples) {
    slowed += slowdown_in(sample.clocks_reasons).empty() ? 0 : 1;
    reasons |= sample.clocks_reasons;
    hottest = std::max(hottest, sample.celsius.value_or(0));
    strongest = std::max(strongest, sample.milliwatts.value_or(0));
  }
  return judge(record, slowed, reasons)
      .with("moments", std::to_string(record.samples.size()))
      .with("slowed_moments", std::to_string(slowed))
      .with("clocks_event_reasons", std::to_string(reasons))
      .with("highest_temperature_celsius", hottest == 0 ? "" : std::to_string(hottest))
      .with("highest_power_milliwatts", strongest == 0 ? "" : std::to_string(strongest));
}

}  // namespace

extern const Check kThrottleUnderLoad = {
    .name = "throttle-under-load",
    .question = "Is the GPU slowed down by heat or by its power supply when it computes?",
    .decision =
        "yes when the clocks' reasons name a thermal slowdown (0x20, 0x40), the power brake (0x80) or a hardware "
        "slowdown (0x8) in two moments in which the GPU works for a check (utilisation of 50% or more, looked at 20 "
        "times a second); unknown with fewer than 10 such moments; the software power cap (0x4) is normal",
    .check_class = CheckClass::transient,
    .need = Need::load_record,
    .level = Level::standard,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .loads = loads<kComputeLoads>,
    .ask = ask,
};

}  // namespace cutopsy
