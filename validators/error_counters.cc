#include "validators/error_counters.h"

#include <algorithm>

#include "validators/nvlink.h"

namespace cutopsy {

using Count = NvmlResult<std::uint64_t>;

struct ErrorCounter {
  CounterGroup group;
  const char* name;
  Count (*read)(const Nvml&, NvmlDevice, unsigned links);
  double fault_from;  // the growth that is a fault
  bool per_second = false;
};

namespace {

template <NvmlErrorType kType, NvmlCounterType kPeriod>
Count memory_errors(const Nvml& nvml, NvmlDevice device, unsigned) {
  unsigned long long count = 0;
  const NvmlStatus status = nvml.DeviceGetTotalEccErrors(device, kType, kPeriod, &count);
  return {count, status};
}

Count replays(const Nvml& nvml, NvmlDevice device, unsigned) {
  unsigned count = 0;
  const NvmlStatus status = nvml.DeviceGetPcieReplayCounter(device, &count);
  return {count, status};
}

template <NvmlField kField>
Count of_gpu(const Nvml& nvml, NvmlDevice device, unsigned) {
  return nvml.field(device, kField);
}

template <NvmlField kField>
Count of_links(const Nvml& nvml, NvmlDevice device, unsigned links) {
  Count sum;
  sum.status = {"nvmlDeviceGetFieldValues", kNvmlNotSupported};
  for (unsigned link = 0; link < links; ++link) {
    const Count count = nvml.field(device, kField, link);
    if (count.status.unsupported()) continue;
    if (!count.ok()) return count;
    sum.value += count.value;
    sum.status = count.status;
  }
  return sum;
}

// DCGM's limits, https://github.com/NVIDIA/DCGM: corrected errors of memory above 10; replays of the PCIe link above 80
// and correctable errors above 480 in a test of its bandwidth; 100 CRC errors of NVLink a second.
constexpr double kCorrectedErrors = 11;
constexpr double kReplays = 81;
constexpr double kCorrectableErrors = 481;
constexpr double kLinkErrorsPerSecond = 100;

constexpr ErrorCounter kCounters[] = {
    {CounterGroup::memory, "volatile_uncorrected", memory_errors<kNvmlUncorrected, kNvmlVolatile>, 1},
    {CounterGroup::memory, "aggregate_uncorrected", memory_errors<kNvmlUncorrected, kNvmlAggregate>, 1},
    {CounterGroup::memory, "volatile_corrected", memory_errors<kNvmlCorrected, kNvmlVolatile>, kCorrectedErrors},
    {CounterGroup::memory, "aggregate_corrected", memory_errors<kNvmlCorrected, kNvmlAggregate>, kCorrectedErrors},
    {CounterGroup::pcie, "replays", replays, kReplays},
    {CounterGroup::pcie, "correctable", of_gpu<kNvmlFieldPcieCorrectable>, kCorrectableErrors},
    {CounterGroup::pcie, "non_fatal", of_gpu<kNvmlFieldPcieNonFatal>, 1},
    {CounterGroup::pcie, "fatal", of_gpu<kNvmlFieldPcieFatal>, 1},
    // up to Hopper, then from Blackwell on
    {CounterGroup::nvlink, "replay", of_links<kNvmlFieldNvLinkReplay>, kLinkErrorsPerSecond, true},
    {CounterGroup::nvlink, "recovery", of_links<kNvmlFieldNvLinkRecovery>, 1},
    {CounterGroup::nvlink, "crc", of_links<kNvmlFieldNvLinkCrc>, kLinkErrorsPerSecond, true},
    {CounterGroup::nvlink, "receive_errors", of_links<kNvmlFieldNvLink5ReceiveErrors>, kLinkErrorsPerSecond, true},
    {CounterGroup::nvlink, "recovery_successful", of_links<kNvmlFieldNvLink5RecoverySuccessful>, 1},
    {CounterGroup::nvlink, "recovery_failed", of_links<kNvmlFieldNvLink5RecoveryFailed>, 1},
};

std::string grown(const ErrorCounter& counter, std::uint64_t more) {
  return std::string(" ") + counter.name + " +" + std::to_string(more);
}

void compare(const CounterReading& before, const CounterReading& after, double seconds, CounterGrowth* growth) {
  const ErrorCounter& counter = *before.counter;
  const std::string name = std::string(" ") + counter.name;
  if (!before.count.ok() || !after.count.ok()) {
    const NvmlStatus& status = before.count.ok() ? after.count.status : before.count.status;
    if (!status.unsupported() || growth->refusal.ok()) growth->refusal = status;
    return;
  }
  const std::uint64_t from = before.count.value;
  const std::uint64_t to = after.count.value;
  if (to > 0) growth->totals += name + " " + std::to_string(to);
  if (to < from) {
    growth->backwards += name + " went from " + std::to_string(from) + " back to " + std::to_string(to);
    return;
  }
  ++growth->compared;
  growth->grown_by.push_back({std::string(counter.name) + "_growth", std::to_string(to - from)});
  if (to == from) return;
  const double limit = counter.per_second ? counter.fault_from * seconds : counter.fault_from;
  (static_cast<double>(to - from) >= limit ? growth->faults : growth->below_limit) += grown(counter, to - from);
}

}  // namespace

std::vector<CounterReading> read_counters(const Nvml& nvml, NvmlDevice device, CounterGroup group) {
  const auto links = active_nvlinks(nvml, device);
  std::vector<CounterReading> readings;
  for (const ErrorCounter& counter : kCounters) {
    if (counter.group != group) continue;
    readings.push_back({&counter, counter.read(nvml, device, static_cast<unsigned>(links.value.size()))});
    if (group == CounterGroup::nvlink && !links.ok()) readings.back().count.status = links.status;
  }
  return readings;
}

CounterGrowth compare_counters(const std::vector<CounterReading>& before, const std::vector<CounterReading>& after,
                               double seconds) {
  CounterGrowth growth;
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    compare(before[i], after[i], seconds, &growth);
  }
  return growth;
}

}  // namespace cutopsy
