// How a check that asks NVML about one GPU begins, and what a query that fails makes of it.
#pragma once

#include <array>
#include <string_view>

#include "validators/check.h"
#include "validators/nvml.h"

namespace cutopsy {

/// What a check of one GPU's state is pointless without.
inline constexpr std::array<std::string_view, 3> kNeedsWorkingGpu = {"nvml-init", "gpu-lost", "gsp-responds"};

/// A query without a value: not applicable where neither board nor driver can tell; any other failure is never taken
/// for health.
inline Answer unanswered(const NvmlStatus& status) {
  if (status.unsupported()) return Answer::not_applicable(status.text());
  const bool right = status.code == kNvmlNoPermission;
  return Answer::could_not_run(status.text(), right ? "Run it as root or as a user who may open /dev/nvidia*." : "");
}

/// Check::ask for a question about the GPU itself: opens it. `Closed` answers when NVML cannot.
template <Answer (*Ask)(const Nvml&, NvmlDevice, const Inquiry&), Answer (*Closed)(const NvmlStatus&) = unanswered>
Answer ask_gpu(const Inquiry& inquiry) {
  const auto device = inquiry.nvml->device(inquiry.gpu);
  return device.ok() ? Ask(*inquiry.nvml, device.value, inquiry) : Closed(device.status);
}

}  // namespace cutopsy
