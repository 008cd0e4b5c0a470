#include <algorithm>
#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/fabric.h"

namespace cutopsy {

namespace {

// NVML_GPU_FABRIC_HEALTH_MASK_* in nvml.h: where the answer to a question is, and from which value on it is bad.
// Two-bit answers are 0 not supported, 1 true, 2 false; the configuration is 0 not supported, 1 right, above it wrong.
struct Sign {
  unsigned shift;
  unsigned mask;
  unsigned first_bad;
  unsigned last_bad;
  const char* meaning;
};

constexpr Sign kSigns[] = {
    {0, 0x3, 1, 1, "bandwidth is reduced"},
    {2, 0x3, 1, 1, "routes are being recovered"},
    {4, 0x3, 1, 1, "a route is unhealthy"},
    {6, 0x3, 1, 1, "an access timeout is being recovered"},
    {8, 0xf, 2, 15, "the fabric is not configured rightly"},
};

constexpr unsigned kSummaryUnhealthy = 2;
constexpr unsigned kSummaryLimited = 3;

std::string signs_in(const FabricInfo& fabric) {
  std::string text;
  const auto add = [&](const char* meaning) { text += (text.empty() ? "" : "; ") + std::string(meaning); };
  for (const Sign& sign : kSigns) {
    const unsigned value = fabric.health_mask.value_or(0) >> sign.shift & sign.mask;
    if (value >= sign.first_bad && value <= sign.last_bad) add(sign.meaning);
  }
  const unsigned summary = fabric.summary.value_or(0);
  if (summary == kSummaryUnhealthy) add("the driver calls the fabric unhealthy");
  if (summary == kSummaryLimited) add("the driver calls the fabric's capacity limited");
  return text;
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  const auto fabric = fabric_info(nvml, device);
  if (!fabric.ok()) return unanswered(fabric.status);
  if (fabric.value.state == kNvmlFabricNone) return Answer::not_applicable("this GPU joins no NVLink fabric");
  const unsigned mask = fabric.value.health_mask.value_or(0);
  if (mask == 0 && fabric.value.summary.value_or(0) == 0) {
    return Answer::not_applicable("neither the driver nor the fabric tells the fabric's health");
  }
  const std::string signs = signs_in(fabric.value);
  Answer answer = signs.empty() ? Answer::no("the fabric is healthy")
                                : Answer::yes(signs,
                                              "Read fabric manager's log and the kernel log for SXids; check the "
                                              "NVSwitches and cables.");
  return std::move(answer).with("health_mask", std::to_string(mask));
}

}  // namespace

extern const Check kFabricHealth = {
    .name = "fabric-health",
    .question = "Is the NVLink fabric of the GPU degraded?",
    .decision =
        "yes when the fabric's health shows reduced bandwidth, a route or timeout in recovery, an unhealthy "
        "route or a wrong configuration, or its summary is unhealthy or limited; unknown before R550",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
