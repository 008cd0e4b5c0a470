#include <algorithm>
#include <string>
#include <vector>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/checks/under_load.h"

namespace cutopsy {

namespace {

constexpr unsigned kLowPercent = 70;  // of the highest clock; own proposal

// The clock that half of the moments are below.
unsigned median(std::vector<unsigned> clocks) {
  const auto middle = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
  std::nth_element(clocks.begin(), middle, clocks.end());
  return *middle;
}

Answer judge(unsigned clock, unsigned highest, bool by_setting) {
  const std::string seen = std::to_string(clock) + " of " + std::to_string(highest) + " MHz under load";
  if (std::uint64_t{clock} * 100 >= std::uint64_t{highest} * kLowPercent) return Answer::no(seen);
  if (!by_setting) return Answer::undecided(seen + "; a setting is not the only reason, see throttle-under-load");
  return Answer::yes(seen + ", by a setting",
                     "Undo it: nvidia-smi --reset-gpu-clocks and --reset-applications-clocks.");
}

Answer ask(const Inquiry& inquiry) {
  const LoadRecord& record = *inquiry.record;
  std::vector<unsigned> clocks;
  std::size_t by_setting = 0;
  for (const LoadSample& sample : record.samples) {
    if (sample.sm_mhz) clocks.push_back(*sample.sm_mhz);
    by_setting += sample.clocks_reasons == kNvmlReasonApplicationClocks ? 1 : 0;
  }
  if (!record.blind.ok()) return unanswered(record.blind);
  if (!record.most_sm_mhz) return Answer::not_applicable("NVML does not tell the highest clock");
  if (clocks.size() < kLeastLoaded) return too_short_a_load(clocks.size());
  const unsigned clock = median(std::move(clocks));
  return judge(clock, *record.most_sm_mhz, by_setting * 2 > record.samples.size())
      .with("moments", std::to_string(record.samples.size()))
      .with("median_sm_clock_mhz", std::to_string(clock));
}

}  // namespace

extern const Check kClocksUnderLoad = {
    .name = "clocks-under-load",
    .question = "Are the GPU's clocks held low by a setting when it computes?",
    .decision =
        "yes when the clock's median is below 70% of its maximum (own proposal) in the moments in which the GPU works "
        "for a check (utilisation of 50% or more, looked at 20 times a second), and the only reason in most of them is "
        "the clocks' setting (0x2); unknown with other reasons and with fewer than 10 such moments",
    .check_class = CheckClass::transient,
    .need = Need::load_record,
    .level = Level::standard,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .loads = loads<kComputeLoads>,
    .ask = ask,
};

}  // namespace cutopsy
