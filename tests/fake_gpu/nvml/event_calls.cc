// Events: the Xids that a scenario has happen while somebody listens.
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "tests/fake_gpu/nvml/entry_points.h"
#include "tests/fake_gpu/nvml/machine.h"

namespace cutopsy::fake {

namespace {

struct EventSet {
  std::deque<NvmlEventData> events;
};

std::map<NvmlEventSet, std::unique_ptr<EventSet>>& event_sets() {
  static std::map<NvmlEventSet, std::unique_ptr<EventSet>> sets;
  return sets;
}

EventSet* set_of(NvmlEventSet handle) {
  const auto found = event_sets().find(handle);
  return found == event_sets().end() ? nullptr : found->second.get();
}

}  // namespace

extern "C" {

int nvmlDeviceGetSupportedEventTypes(NvmlDevice device, unsigned long long* types) {
  return answer("nvmlDeviceGetSupportedEventTypes", device,
                [&](const NvmlGpu& gpu) { return NvmlMachine::number(gpu, "event_types", kNvmlEventXid, types); });
}

int nvmlEventSetCreate(NvmlEventSet* handle) {
  if (const int code = NvmlMachine::instance().refusal("nvmlEventSetCreate", nullptr); code != kNvmlSuccess)
    return code;
  if (!handle) return kNvmlInvalidArgument;
  auto set = std::make_unique<EventSet>();
  *handle = reinterpret_cast<NvmlEventSet>(set.get());
  event_sets()[*handle] = std::move(set);
  return kNvmlSuccess;
}

int nvmlDeviceRegisterEvents(NvmlDevice device, unsigned long long types, NvmlEventSet handle) {
  return answer("nvmlDeviceRegisterEvents", device, [&](const NvmlGpu& gpu) -> int {
    EventSet* const set = set_of(handle);
    if (!set) return kNvmlInvalidArgument;
    unsigned long long supported = 0;
    if (NvmlMachine::number(gpu, "event_types", kNvmlEventXid, &supported) != kNvmlSuccess || (types & ~supported)) {
      return kNvmlNotSupported;
    }
    for (const std::string& xid : gpu.section->words("xids")) {
      set->events.push_back({device, kNvmlEventXid, std::stoull(xid), 0, 0});
    }
    return kNvmlSuccess;
  });
}

int nvmlEventSetWait_v2(NvmlEventSet handle, NvmlEventData* data, unsigned) {
  if (const int code = NvmlMachine::instance().refusal("nvmlEventSetWait_v2", nullptr); code != kNvmlSuccess)
    return code;
  EventSet* const set = set_of(handle);
  if (!set || !data) return kNvmlInvalidArgument;
  if (set->events.empty()) return kNvmlTimeout;
  *data = set->events.front();
  set->events.pop_front();
  return kNvmlSuccess;
}

int nvmlEventSetFree(NvmlEventSet handle) {
  return event_sets().erase(handle) > 0 ? kNvmlSuccess : kNvmlInvalidArgument;
}

}  // extern "C"

}  // namespace cutopsy::fake
