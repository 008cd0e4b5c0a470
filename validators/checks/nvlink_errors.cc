#include <string>
#include <thread>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/error_counters.h"
#include "validators/nvlink.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"interval", "milliseconds between the two readings of the counters; 1000 when absent", Form::number}};

Answer judge(const CounterGrowth& growth) {
  if (!growth.faults.empty()) {
    return Answer::yes(
        "NVLink errors grow while we look:" + growth.faults,
        "Reset the GPU with its NVSwitches; check bridge, cable and seating; read the kernel log for Xid 74.");
  }
  if (growth.compared == 0 || (!growth.refusal.ok() && !growth.refusal.unsupported()))
    return unanswered(growth.refusal);
  if (!growth.backwards.empty()) return Answer::undecided("NVLink's counters cannot be compared:" + growth.backwards);
  if (!growth.below_limit.empty()) {
    return Answer::undecided("NVLink errors grow, more slowly than the limit:" + growth.below_limit);
  }
  if (!growth.totals.empty()) {
    return Answer::undecided("NVLink had errors since the driver was loaded:" + growth.totals);
  }
  return Answer::no("no NVLink error was counted, whatever the load");
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry& inquiry) {
  const auto links = active_nvlinks(nvml, device);
  if (!links.ok()) return unanswered(links.status);
  if (links.value.empty()) return Answer::not_applicable("this GPU has no NVLink");
  const auto interval = std::chrono::milliseconds(inquiry.parameters.number("interval", 1, 10'000).value_or(1000));
  const auto before = read_counters(nvml, device, CounterGroup::nvlink);
  std::this_thread::sleep_for(interval);
  const auto after = read_counters(nvml, device, CounterGroup::nvlink);
  const CounterGrowth growth = compare_counters(before, after, std::chrono::duration<double>(interval).count());
  Answer answer = judge(growth);
  answer.measurements = growth.grown_by;
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
