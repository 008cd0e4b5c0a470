// What NVML keeps of memory errors: ECC counts, remapped rows, retired pages, on-chip memory, repairs.
#include <algorithm>
#include <array>
#include <cstdio>

#include "tests/fake_gpu/nvml/entry_points.h"
#include "tests/fake_gpu/nvml/machine.h"

namespace cutopsy::fake {

namespace {

bool counts_ecc(const NvmlGpu& gpu) {
  return gpu.section->text("ecc.mode") != "unsupported" && gpu.section->number("ecc.mode", 1) != 0;
}

int ecc_count(const NvmlGpu& gpu, unsigned error_type, unsigned counter_type, unsigned long long* count) {
  if (!counts_ecc(gpu)) return kNvmlNotSupported;
  const std::string period = counter_type == kNvmlVolatile ? "volatile" : "aggregate";
  const std::string kind = error_type == kNvmlUncorrected ? "uncorrected" : "corrected";
  return NvmlMachine::instance().counter(gpu, "ecc." + period + "." + kind, count);
}

bool remaps_rows(const NvmlGpu& gpu) {
  return gpu.section->text("remap") != "unsupported" && gpu.mig_devices.empty();
}

}  // namespace

extern "C" {

int nvmlDeviceGetEccMode(NvmlDevice device, unsigned* current, unsigned* pending) {
  return answer("nvmlDeviceGetEccMode", device, [&](const NvmlGpu& gpu) {
    const int code = NvmlMachine::number(gpu, "ecc.mode", 1, current);
    return code == kNvmlSuccess ? NvmlMachine::number(gpu, "ecc.pending", *current, pending) : code;
  });
}

int nvmlDeviceGetTotalEccErrors(NvmlDevice device, unsigned error_type, unsigned counter_type,
                                unsigned long long* count) {
  return answer("nvmlDeviceGetTotalEccErrors", device,
                [&](const NvmlGpu& gpu) { return ecc_count(gpu, error_type, counter_type, count); });
}

int nvmlDeviceGetMemoryErrorCounter(NvmlDevice device, unsigned error_type, unsigned counter_type, unsigned location,
                                    unsigned long long* count) {
  return answer("nvmlDeviceGetMemoryErrorCounter", device, [&](const NvmlGpu& gpu) {
    const int code = ecc_count(gpu, error_type, counter_type, count);
    if (code == kNvmlSuccess && gpu.section->number("ecc.location", 2) != location) *count = 0;
    return code;
  });
}

int nvmlDeviceGetRemappedRows(NvmlDevice device, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                              unsigned* failure) {
  return answer("nvmlDeviceGetRemappedRows", device, [&](const NvmlGpu& gpu) -> int {
    if (!remaps_rows(gpu)) return kNvmlNotSupported;
    *corrected = static_cast<unsigned>(gpu.section->number("remap.corrected"));
    *uncorrected = static_cast<unsigned>(gpu.section->number("remap.uncorrected"));
    *pending = static_cast<unsigned>(gpu.section->number("remap.pending"));
    *failure = static_cast<unsigned>(gpu.section->number("remap.failure"));
    return kNvmlSuccess;
  });
}

int nvmlDeviceGetRowRemapperHistogram(NvmlDevice device, NvmlRowRemapperHistogram* histogram) {
  return answer("nvmlDeviceGetRowRemapperHistogram", device, [&](const NvmlGpu& gpu) -> int {
    if (!remaps_rows(gpu)) return kNvmlNotSupported;
    const std::string banks = gpu.section->text("remap.histogram", "640,0,0,0,0");
    const int read = std::sscanf(banks.c_str(), "%u,%u,%u,%u,%u", &histogram->max, &histogram->high,
                                 &histogram->partial, &histogram->low, &histogram->none);
    return read == 5 ? kNvmlSuccess : kNvmlUnknown;
  });
}

int nvmlDeviceGetRetiredPages(NvmlDevice device, unsigned cause, unsigned* count, unsigned long long* addresses) {
  return answer("nvmlDeviceGetRetiredPages", device, [&](const NvmlGpu& gpu) -> int {
    unsigned pages = 0;
    const char* const key = cause == 0 ? "retired.single" : "retired.double";
    if (const int code = NvmlMachine::number(gpu, key, std::nullopt, &pages); code != kNvmlSuccess) return code;
    const unsigned room = *count;
    *count = pages;
    if (pages > room) return kNvmlInsufficientSize;
    std::fill(addresses, addresses + pages, 0xfee000ULL);
    return kNvmlSuccess;
  });
}

int nvmlDeviceGetSramEccErrorStatus(NvmlDevice device, NvmlSramEccStatus* status) {
  return answer("nvmlDeviceGetSramEccErrorStatus", device, [&](const NvmlGpu& gpu) -> int {
    if (status->version != nvml_version<NvmlSramEccStatus>(1)) return kNvmlArgumentVersionMismatch;
    if (!counts_ecc(gpu)) return kNvmlNotSupported;
    status->aggregate_uncorrected_parity = static_cast<std::uint64_t>(gpu.section->number("sram.parity"));
    status->aggregate_uncorrected_secded = static_cast<std::uint64_t>(gpu.section->number("sram.secded"));
    status->threshold_exceeded = static_cast<unsigned>(gpu.section->number("sram.exceeded"));
    return kNvmlSuccess;
  });
}

int nvmlDeviceGetRepairStatus(NvmlDevice device, NvmlRepairStatus* status) {
  return answer("nvmlDeviceGetRepairStatus", device, [&](const NvmlGpu& gpu) -> int {
    if (status->version != nvml_version<NvmlRepairStatus>(1)) return kNvmlArgumentVersionMismatch;
    status->channel_repair_pending = static_cast<unsigned>(gpu.section->number("repair.channel"));
    status->tpc_repair_pending = static_cast<unsigned>(gpu.section->number("repair.tpc"));
    return kNvmlSuccess;
  });
}

}  // extern "C"

}  // namespace cutopsy::fake
