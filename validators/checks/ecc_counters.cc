#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

// nvmlMemoryLocation_t in nvml.h
constexpr const char* kLocations[] = {"L1 cache",       "L2 cache",       "device memory", "register file",
                                      "texture memory", "texture shared", "CBU",           "SRAM"};

struct Counts {
  unsigned long long uncorrected = 0;
  unsigned long long aggregate_uncorrected = 0;
  unsigned long long corrected = 0;
  unsigned long long aggregate_corrected = 0;
};

NvmlStatus read(const Nvml& nvml, NvmlDevice device, Counts* counts) {
  NvmlStatus status = nvml.DeviceGetTotalEccErrors(device, kNvmlUncorrected, kNvmlVolatile, &counts->uncorrected);
  if (status.ok()) {
    status = nvml.DeviceGetTotalEccErrors(device, kNvmlUncorrected, kNvmlAggregate, &counts->aggregate_uncorrected);
  }
  if (status.ok()) status = nvml.DeviceGetTotalEccErrors(device, kNvmlCorrected, kNvmlVolatile, &counts->corrected);
  if (status.ok()) {
    status = nvml.DeviceGetTotalEccErrors(device, kNvmlCorrected, kNvmlAggregate, &counts->aggregate_corrected);
  }
  return status;
}

std::string places(const Nvml& nvml, NvmlDevice device) {
  std::string text;
  for (unsigned location = 0; location < std::size(kLocations); ++location) {
    unsigned long long count = 0;
    const NvmlStatus status =
        nvml.DeviceGetMemoryErrorCounter(device, kNvmlUncorrected, kNvmlVolatile, location, &count);
    if (status.ok() && count > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " in " + kLocations[location];
  }
  return text.empty() ? "" : " (" + text + ")";
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  unsigned current = 0;
  unsigned pending = 0;
  const NvmlStatus mode = nvml.DeviceGetEccMode(device, &current, &pending);
  if (mode.ok() && current == 0) return Answer::not_applicable("ECC is off: errors are not counted");
  Counts counts;
  if (const NvmlStatus status = read(nvml, device, &counts); !status.ok()) return unanswered(status);
  const std::string volatile_count = std::to_string(counts.uncorrected);
  const std::string aggregate_count = std::to_string(counts.aggregate_uncorrected);
  Answer answer = Answer::no("no uncorrected memory error was ever counted");
  if (counts.uncorrected > 0) {
    answer =
        Answer::yes(volatile_count + " uncorrected memory errors since the driver was loaded" + places(nvml, device),
                    "Reset the GPU so that bad rows are replaced; when errors return, have it replaced.");
  } else if (counts.aggregate_uncorrected > 0) {
    answer = Answer::undecided("none since the driver was loaded, " + aggregate_count +
                               " uncorrected memory errors in the GPU's life");
  }
  return std::move(answer)
      .with("volatile_uncorrected", volatile_count)
      .with("aggregate_uncorrected", aggregate_count)
      .with("volatile_corrected", std::to_string(counts.corrected))
      .with("aggregate_corrected", std::to_string(counts.aggregate_corrected));
}

}  // namespace

extern const Check kEccCounters = {
    .name = "ecc-counters",
    .question = "Did the GPU's memory have uncorrected errors since the driver was loaded?",
    .decision =
        "yes when the volatile count of uncorrected ECC errors is above 0; unknown when only the count of the "
        "GPU's life is, and with ECC off",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
