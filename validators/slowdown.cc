#include "validators/slowdown.h"

#include "validators/nvml_abi.h"

namespace cutopsy {

namespace {

struct Reason {
  NvmlClocksReason bit;
  const char* meaning;
};

constexpr Reason kReasons[] = {
    {kNvmlReasonSoftwareThermal, "the driver lowers the clocks because of heat"},
    {kNvmlReasonHardwareThermal, "the GPU halves its clocks because of heat"},
    {kNvmlReasonPowerBrake, "the power supply makes the GPU halve its clocks (power brake)"},
    {kNvmlReasonHardwareSlowdown, "the GPU halves its clocks because of heat or power"},
};

}  // namespace

std::string slowdown_in(std::uint64_t reasons) {
  std::string text;
  const bool named = (reasons & (kNvmlReasonHardwareThermal | kNvmlReasonPowerBrake)) != 0;
  for (const Reason& reason : kReasons) {
    // The hardware slowdown covers two others.
    if ((reasons & reason.bit) == 0 || (named && reason.bit == kNvmlReasonHardwareSlowdown)) continue;
    text += (text.empty() ? "" : "; ") + std::string(reason.meaning);
  }
  return text;
}

}  // namespace cutopsy
