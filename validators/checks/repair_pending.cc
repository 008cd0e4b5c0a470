#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  NvmlRepairStatus repair{};
  repair.version = nvml_version<NvmlRepairStatus>(1);
  const NvmlStatus status = nvml.DeviceGetRepairStatus(device, &repair);
  if (!status.ok()) return unanswered(status);
  std::string what;
  if (repair.channel_repair_pending != 0) what = "a memory channel";
  if (repair.tpc_repair_pending != 0) what += std::string(what.empty() ? "" : " and ") + "a texture processing cluster";
  Answer answer = Answer::no("no repair is pending");
  if (!what.empty()) answer = Answer::yes(what + " waits for repair", "Reset the GPU or reboot: it is repaired then.");
  return std::move(answer)
      .with("channel_repair_pending", std::to_string(repair.channel_repair_pending))
      .with("tpc_repair_pending", std::to_string(repair.tpc_repair_pending));
}

}  // namespace

extern const Check kRepairPending = {
    .name = "repair-pending",
    .question = "Does a part of the GPU wait for the repair that a reset makes?",
    .decision = "yes when a channel or TPC repair is pending; unknown on drivers that do not tell (before R565)",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
