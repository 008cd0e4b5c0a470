// NVLink, the CPU-GPU link and the fabric, and the field values, most of which are about links.
#include <algorithm>
#include <cstdio>
#include <iterator>

#include "tests/fake_gpu/nvml/entry_points.h"
#include "tests/fake_gpu/nvml/machine.h"

namespace cutopsy::fake {

namespace {

bool names_link(const NvmlGpu& gpu, std::string_view key, unsigned link) {
  const auto words = gpu.section->words(key);
  return std::find(words.begin(), words.end(), std::to_string(link)) != words.end();
}

unsigned link_count(const NvmlGpu& gpu) {
  return static_cast<unsigned>(gpu.section->number("nvlink.links"));
}

// Which generations of links have the counter: 4 stands for all up to Hopper's.
struct LinkCounter {
  unsigned field;
  int generation;
  const char* key;
};

constexpr LinkCounter kLinkCounters[] = {
    {kNvmlFieldNvLinkReplay, 4, "nvlink.replay"},
    {kNvmlFieldNvLinkRecovery, 4, "nvlink.recovery"},
    {kNvmlFieldNvLinkCrc, 4, "nvlink.crc"},
    {kNvmlFieldNvLink5ReceiveErrors, 5, "nvlink.receive_errors"},
    {kNvmlFieldNvLink5RecoverySuccessful, 5, "nvlink.recovery_successful"},
    {kNvmlFieldNvLink5RecoveryFailed, 5, "nvlink.recovery_failed"},
};

int link_field(const NvmlGpu& gpu, const NvmlFieldValue& field, unsigned long long* value) {
  if (field.scope_id >= link_count(gpu)) return kNvmlInvalidArgument;
  if (field.field_id == kNvmlFieldNvLinkState) {
    const bool down = names_link(gpu, "nvlink.down", field.scope_id);
    const bool asleep = names_link(gpu, "nvlink.asleep", field.scope_id);
    *value = down ? 0 : asleep ? 2 : 1;
    return kNvmlSuccess;
  }
  const auto* const counter = std::find_if(std::begin(kLinkCounters), std::end(kLinkCounters),
                                           [&](const LinkCounter& row) { return row.field == field.field_id; });
  if (counter == std::end(kLinkCounters)) return kNvmlInvalidArgument;
  if (counter->generation != gpu.section->number("nvlink.generation", 4)) return kNvmlNotSupported;
  // Errors are on the first link.
  *value = field.scope_id == 0 ? NvmlMachine::instance().counter(gpu, counter->key) : 0;
  return kNvmlSuccess;
}

int c2c_field(const NvmlGpu& gpu, const NvmlFieldValue& field, unsigned long long* value) {
  const auto links = static_cast<unsigned>(gpu.section->number("c2c.links"));
  if (links == 0) return kNvmlNotSupported;
  switch (field.field_id) {
    case kNvmlFieldC2cCount:
      *value = links;
      break;
    case kNvmlFieldC2cStatus:
      *value = names_link(gpu, "c2c.down", field.scope_id) ? 0 : 1;
      break;
    default:
      *value = field.scope_id == 0 ? NvmlMachine::instance().counter(gpu, "c2c.errors") : 0;
      break;
  }
  return kNvmlSuccess;
}

int field_value(const NvmlGpu& gpu, const NvmlFieldValue& field, unsigned long long* value) {
  switch (field.field_id) {
    case kNvmlFieldRecoveryAction:
      return NvmlMachine::number(gpu, "recovery_action", 0, value);
    case kNvmlFieldNvLinkCount:
      return NvmlMachine::number(gpu, "nvlink.links", 0, value);
    case kNvmlFieldPcieCorrectable:
      return NvmlMachine::instance().counter(gpu, "pcie.correctable", value);
    case kNvmlFieldPcieNonFatal:
      return NvmlMachine::instance().counter(gpu, "pcie.non_fatal", value);
    case kNvmlFieldPcieFatal:
      return NvmlMachine::instance().counter(gpu, "pcie.fatal", value);
    case kNvmlFieldC2cCount:
    case kNvmlFieldC2cStatus:
    case kNvmlFieldC2cErrors:
      return c2c_field(gpu, field, value);
    default:
      return link_field(gpu, field, value);
  }
}

template <class Info>
int fill(const NvmlGpu& gpu, Info* info) {
  unsigned state = 0;
  if (const int code = NvmlMachine::number(gpu, "fabric.state", 0, &state); code != kNvmlSuccess) return code;
  info->state = static_cast<unsigned char>(state);
  info->status = static_cast<int>(gpu.section->number("fabric.status"));
  if constexpr (requires { info->health_mask; }) {
    info->health_mask = static_cast<unsigned>(gpu.section->number("fabric.health_mask"));
  }
  if constexpr (requires { info->health_summary; }) {
    info->health_summary = static_cast<unsigned char>(gpu.section->number("fabric.health_summary"));
  }
  return kNvmlSuccess;
}

}  // namespace

extern "C" {

int nvmlDeviceGetFieldValues(NvmlDevice device, int count, NvmlFieldValue* values) {
  return answer("nvmlDeviceGetFieldValues", device, [&](const NvmlGpu& gpu) -> int {
    for (int i = 0; i < count; ++i) {
      values[i].value_type = kNvmlUnsignedLongLong;
      unsigned long long value = 0;
      values[i].code = field_value(gpu, values[i], &value);
      values[i].value.ull = value;
    }
    return kNvmlSuccess;
  });
}

int nvmlDeviceGetNvLinkState(NvmlDevice device, unsigned link, unsigned* active) {
  return answer("nvmlDeviceGetNvLinkState", device, [&](const NvmlGpu& gpu) -> int {
    if (link_count(gpu) == 0) return kNvmlNotSupported;
    if (link >= link_count(gpu)) return kNvmlInvalidArgument;
    *active = names_link(gpu, "nvlink.down", link) || names_link(gpu, "nvlink.asleep", link) ? 0 : 1;
    return kNvmlSuccess;
  });
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(NvmlDevice device, unsigned link, NvmlPciInfo* pci) {
  return answer("nvmlDeviceGetNvLinkRemotePciInfo_v2", device, [&](const NvmlGpu& gpu) -> int {
    if (link >= link_count(gpu)) return kNvmlInvalidArgument;
    const bool known = !names_link(gpu, "nvlink.down", link) || names_link(gpu, "nvlink.remote", link);
    if (!known) return kNvmlNotSupported;
    *pci = {};
    pci->bus = 0xc0;
    std::snprintf(pci->bus_id, sizeof pci->bus_id, "00000000:C0:00.0");
    return kNvmlSuccess;
  });
}

int nvmlDeviceGetGpuFabricInfo(NvmlDevice device, NvmlFabricInfoV1* info) {
  return answer("nvmlDeviceGetGpuFabricInfo", device, [&](const NvmlGpu& gpu) { return fill(gpu, info); });
}

int nvmlDeviceGetGpuFabricInfoV(NvmlDevice device, void* info) {
  return answer("nvmlDeviceGetGpuFabricInfoV", device, [&](const NvmlGpu& gpu) -> int {
    const unsigned version = *static_cast<unsigned*>(info);
    const auto newest = gpu.section->number("fabric.version", 3);
    if (version == nvml_version<NvmlFabricInfoV3>(3) && newest >= 3) {
      return fill(gpu, static_cast<NvmlFabricInfoV3*>(info));
    }
    if (version == nvml_version<NvmlFabricInfoV2>(2)) return fill(gpu, static_cast<NvmlFabricInfoV2*>(info));
    return kNvmlArgumentVersionMismatch;
  });
}

}  // extern "C"

}  // namespace cutopsy::fake
