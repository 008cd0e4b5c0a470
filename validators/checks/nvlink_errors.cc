#include <string>
#include <thread>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/nvlink.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"interval", "milliseconds between the two readings of the counters; 1000 when absent"}};

// Up to Hopper, then from Blackwell on. DCGM alarms at 100 CRC errors a second: https://github.com/NVIDIA/DCGM
struct Counter {
  NvmlField field;
  const char* name;
  double most_per_second;  // 0: each one is a fault
};

constexpr double kDcgmLimit = 100;
constexpr Counter kCounters[] = {
    {kNvmlFieldNvLinkReplay, "replay", kDcgmLimit},
    {kNvmlFieldNvLinkRecovery, "recovery", 0},
    {kNvmlFieldNvLinkCrc, "crc", kDcgmLimit},
    {kNvmlFieldNvLink5ReceiveErrors, "receive_errors", kDcgmLimit},
    {kNvmlFieldNvLink5RecoverySuccessful, "recovery_successful", 0},
    {kNvmlFieldNvLink5RecoveryFailed, "recovery_failed", 0},
};

using Reading = std::array<std::uint64_t, std::size(kCounters)>;

// Summed over the links; no value when the GPU has none of the counters.
NvmlResult<Reading> read(const Nvml& nvml, NvmlDevice device, unsigned links) {
  NvmlResult<Reading> reading;
  bool any = false;
  NvmlStatus refusal;
  for (std::size_t i = 0; i < std::size(kCounters); ++i) {
    for (unsigned link = 0; link < links; ++link) {
      const auto value = nvml.field(device, kCounters[i].field, link);
      if (!value.ok()) refusal = value.status;
      if (!value.ok() && !value.status.unsupported()) return {{}, value.status};
      any = any || value.ok();
      if (value.ok()) reading.value[i] += value.value;
    }
  }
  if (!any) reading.status = refusal;
  return reading;
}

Answer judge(const Reading& before, const Reading& after, double seconds) {
  std::string noisy;
  std::string growing;
  std::string since_start;
  for (std::size_t i = 0; i < std::size(kCounters); ++i) {
    const std::uint64_t more = after[i] > before[i] ? after[i] - before[i] : 0;
    const std::string grown = std::string(" ") + kCounters[i].name + " +" + std::to_string(more);
    if (more > 0 && static_cast<double>(more) >= kCounters[i].most_per_second * seconds) {
      noisy += grown;
    } else if (more > 0) {
      growing += grown;
    }
    if (after[i] > 0) since_start += std::string(" ") + kCounters[i].name + " " + std::to_string(after[i]);
  }
  if (!noisy.empty()) {
    return Answer::yes(
        "NVLink errors grow while we look:" + noisy,
        "Reset the GPU with its NVSwitches; check bridge, cable and seating; read the kernel log for Xid 74.");
  }
  if (!growing.empty()) return Answer::undecided("NVLink errors grow, more slowly than the limit:" + growing);
  if (!since_start.empty()) return Answer::undecided("NVLink had errors since the driver was loaded:" + since_start);
  return Answer::no("no NVLink error was counted, whatever the load");
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry& inquiry) {
  const auto links = active_nvlinks(nvml, device);
  if (!links.ok()) return unanswered(links.status);
  if (links.value.empty()) return Answer::not_applicable("this GPU has no NVLink");
  const auto count = static_cast<unsigned>(links.value.size());
  const auto interval = std::chrono::milliseconds(inquiry.parameters.number("interval", 1, 10'000).value_or(1000));
  const auto before = read(nvml, device, count);
  if (!before.ok()) return unanswered(before.status);
  std::this_thread::sleep_for(interval);
  const auto after = read(nvml, device, count);
  if (!after.ok()) return unanswered(after.status);
  Answer answer = judge(before.value, after.value, std::chrono::duration<double>(interval).count());
  for (std::size_t i = 0; i < std::size(kCounters); ++i) {
    answer.measurements.push_back({kCounters[i].name, std::to_string(after.value[i])});
  }
  return answer;
}

}  // namespace

extern const Check kNvlinkErrors = {
    .name = "nvlink-errors",
    .question = "Do the GPU's NVLinks have errors while we look?",
    .decision =
        "yes when a recovery is counted between two readings, or 100 replays, CRC or receive errors a second "
        "(DCGM's limit); unknown for fewer and for older errors",
    .check_class = CheckClass::stochastic,
    .need = Need::nvml,
    .level = Level::standard,
    .per_gpu = true,
    .deadline = std::chrono::seconds(20),
    .parameters = kParameters,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
