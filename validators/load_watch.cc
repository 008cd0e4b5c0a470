#include "validators/load_watch.h"

#include <array>
#include <utility>

#include "validators/xid_line.h"

namespace cutopsy {

namespace {

constexpr unsigned kLoaded = 50;               // percent: below, clocks and heat say nothing of a load's
constexpr std::size_t kMostSamples = 100'000;  // more than an hour's
constexpr std::size_t kMostXids = 1000;        // a GPU that is gone reports one for each access
constexpr unsigned kLastEvents = 20;           // milliseconds for the driver to report what the load caused
constexpr std::array kGroups = {CounterGroup::memory, CounterGroup::pcie, CounterGroup::nvlink};

}  // namespace

std::optional<std::chrono::milliseconds> LoadRecord::time_of(std::span<const std::string_view> checks) const {
  std::optional<std::chrono::milliseconds> time;
  for (const std::string_view check : checks) {
    if (const auto load = loads.find(check); load != loads.end()) {
      time = time.value_or(std::chrono::milliseconds(0)) + load->second;
    }
  }
  return time;
}

LoadWatch::LoadWatch(const Nvml& nvml, Gpu gpu) : nvml_(nvml), gpu_(std::move(gpu)) {
  const auto device = nvml_.device(gpu_);
  record_.blind = device.status;
  if (!device.ok()) return;
  for (const CounterGroup group : kGroups) record_.before[group] = read_counters(nvml_, device.value, group);
  unsigned most = 0;
  if (nvml_.DeviceGetMaxClockInfo(device.value, kNvmlSmClock, &most).ok()) record_.most_sm_mhz = most;
  listen(device.value);
}

LoadWatch::~LoadWatch() {
  if (events_) nvml_.EventSetFree(events_);
}

void LoadWatch::listen(NvmlDevice device) {
  unsigned long long supported = 0;
  const bool tells = nvml_.DeviceGetSupportedEventTypes(device, &supported).ok() && (supported & kNvmlEventXid) != 0;
  if (tells && nvml_.EventSetCreate(&events_).ok()) {
    record_.hears_xids = nvml_.DeviceRegisterEvents(device, kNvmlEventXid, events_).ok();
  }
  record_.hears_xids = record_.hears_xids || kernel_log_.is_open();
}

void LoadWatch::load_starts() {
  load_runs_ = true;
  started_ = std::chrono::steady_clock::now();
}

void LoadWatch::sample() {
  hear(0);
  if (record_.samples.size() >= kMostSamples) return;
  const auto device = nvml_.device(gpu_);
  const auto load = device.ok() ? nvml_.utilization(device.value) : NvmlResult<unsigned>{0, device.status};
  const auto reasons = load.ok() ? nvml_.clocks_reasons(device.value) : NvmlResult<std::uint64_t>{0, load.status};
  if (!reasons.ok()) record_.blind = reasons.status;
  if (!reasons.ok() || load.value < kLoaded) return;
  LoadSample& sample = record_.samples.emplace_back();
  sample.clocks_reasons = reasons.value;
  unsigned mhz = 0;
  if (nvml_.DeviceGetClockInfo(device.value, kNvmlSmClock, &mhz).ok()) sample.sm_mhz = mhz;
  if (const auto heat = nvml_.temperature(device.value); heat.ok()) sample.celsius = heat.value;
  unsigned milliwatts = 0;
  if (nvml_.DeviceGetPowerUsage(device.value, &milliwatts).ok()) sample.milliwatts = milliwatts;
}

void LoadWatch::load_ended(const std::string& check, bool answered) {
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started_);
  load_runs_ = false;
  record_.load_time += took;
  if (answered) record_.loads[check] += took;
  hear(kLastEvents);
  const auto device = nvml_.device(gpu_);
  for (const CounterGroup group : kGroups) {
    if (device.ok()) record_.after[group] = read_counters(nvml_, device.value, group);
  }
  if (device.ok()) return;
  // What was known before counts no more.
  record_.after = record_.before;
  for (auto& [group, readings] : record_.after) {
    for (CounterReading& reading : readings) reading.count.status = device.status;
  }
}

void LoadWatch::hear(unsigned wait_milliseconds) {
  NvmlEventData event{};
  while (events_ && record_.xids.size() < kMostXids && nvml_.EventSetWait_v2(events_, &event, wait_milliseconds).ok()) {
    if (event.event_type == kNvmlEventXid) {
      record_.xids.push_back({static_cast<int>(event.event_data), "NVML's event"});
    }
    wait_milliseconds = 0;
  }
  for (const std::string& line : kernel_log_.new_lines()) {
    const auto xid = xid_in(line);
    if (!xid || xid->address != gpu_.pci_address || record_.xids.size() >= kMostXids) continue;
    record_.xids.push_back({xid->number, line});
  }
}

}  // namespace cutopsy
