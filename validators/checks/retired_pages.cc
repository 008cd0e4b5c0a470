#include <string>
#include <vector>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

// DCGM's limit: https://github.com/NVIDIA/DCGM
constexpr unsigned kMostPages = 63;

enum Cause : unsigned { kRepeatedSingleBit = 0, kDoubleBit = 1 };

NvmlResult<unsigned> pages(const Nvml& nvml, NvmlDevice device, Cause cause) {
  NvmlResult<unsigned> result;
  std::vector<unsigned long long> addresses(256);
  result.value = static_cast<unsigned>(addresses.size());
  result.status = nvml.DeviceGetRetiredPages(device, cause, &result.value, addresses.data());
  if (result.status.code == kNvmlInsufficientSize)
    result.status.code = kNvmlSuccess;  // the count is given all the same
  return result;
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  const auto single = pages(nvml, device, kRepeatedSingleBit);
  if (!single.ok()) return unanswered(single.status);
  const auto doubled = pages(nvml, device, kDoubleBit);
  if (!doubled.ok()) return unanswered(doubled.status);
  unsigned pending = 0;
  const NvmlStatus status = nvml.DeviceGetRetiredPagesPendingStatus(device, &pending);
  if (!status.ok() && !status.unsupported()) return unanswered(status);
  const unsigned total = single.value + doubled.value;
  const std::string seen = std::to_string(total) + " memory pages are retired";
  Answer answer = Answer::no("no memory page is retired");
  if (total >= kMostPages) {
    answer = Answer::yes(seen, "Have the GPU replaced.");
  } else if (pending != 0) {
    answer = Answer::yes("a memory page waits to be retired", "Reset the GPU or reboot: the page is retired then.");
  } else if (total > 0) {
    answer = Answer::undecided(seen + ", fewer than the limit of " + std::to_string(kMostPages));
  }
  return std::move(answer)
      .with("retired_single_bit", std::to_string(single.value))
      .with("retired_double_bit", std::to_string(doubled.value))
      .with("pending", std::to_string(pending));
}

}  // namespace

extern const Check kRetiredPages = {
    .name = "retired-pages",
    .question = "Does a memory page wait for retirement, or are too many retired?",
    .decision =
        "yes when one is pending, or 63 and more are retired (DCGM's limit); unknown from 1 to 62; not "
        "applicable from Ampere on (see remap-state)",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
