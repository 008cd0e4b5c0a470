#include <algorithm>
#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"
#include "validators/processes.h"
#include "validators/size_text.h"

namespace cutopsy {

namespace {

constexpr std::array kParameters = {
    Parameter{"needed", "bytes that the job wants on the GPU; without it, a tenth of the GPU's memory", Form::bytes}};

constexpr std::uint64_t kVisible = 512ULL << 20;  // more than a driver and a desktop take without a process

struct Holders {
  std::uint64_t bytes = 0;
  bool all_counted = true;
  std::string text;
};

Holders sum(std::vector<GpuProcess> processes) {
  Holders holders;
  std::sort(processes.begin(), processes.end(), [](const GpuProcess& left, const GpuProcess& right) {
    return left.bytes.value_or(0) > right.bytes.value_or(0);
  });
  for (const GpuProcess& process : processes) {
    holders.bytes += process.bytes.value_or(0);
    holders.all_counted = holders.all_counted && process.bytes.has_value();
    holders.text += (holders.text.empty() ? "" : ", ") + process.text();
  }
  return holders;
}

NvmlResult<std::vector<GpuProcess>> all_processes(const Nvml& nvml, NvmlDevice device) {
  auto all = nvml.compute_processes(device);
  // One that computes and draws is in both lists.
  for (GpuProcess& process : nvml.graphics_processes(device).value) {
    const bool known = std::any_of(all.value.begin(), all.value.end(),
                                   [&](const GpuProcess& other) { return other.pid == process.pid; });
    if (!known) all.value.push_back(std::move(process));
  }
  return all;
}

Answer judge(const NvmlMemoryUse& use, const Holders& holders, std::uint64_t needed, bool shows_all) {
  const std::string free = size_text(use.free) + " of " + size_text(use.total) + " are free";
  if (holders.text.empty()) {
    if (!shows_all && use.used > kVisible)
      return Answer::undecided(free + "; who holds the rest cannot be seen from here");
    return Answer::no("no other process holds memory; " + free);
  }
  const std::string seen = holders.text + "; " + free;
  if (use.free >= needed) return Answer::no(seen);
  if (holders.all_counted && use.free + holders.bytes < needed) {
    return Answer::undecided(seen + "; without them it would not be enough either");
  }
  return Answer::yes(seen, "Wait for these processes or end them; or choose another GPU with CUDA_VISIBLE_DEVICES.");
}

Answer ask(const Inquiry& inquiry) {
  const Nvml& nvml = *inquiry.nvml;
  const auto device = nvml.instance(inquiry.gpu);
  if (!device.ok()) return unanswered(device.status);
  const auto use = nvml.memory(device.value);
  if (!use.ok()) return unanswered(use.status);
  const auto processes = all_processes(nvml, device.value);
  if (!processes.ok()) return unanswered(processes.status);
  const Holders holders = sum(processes.value);
  const std::uint64_t needed = inquiry.parameters.bytes("needed", 1ULL << 50).value_or(use.value.total / 10);
  return judge(use.value, holders, needed, shows_all_processes(inquiry.host))
      .with("free_bytes", std::to_string(use.value.free))
      .with("held_by_others_bytes", std::to_string(holders.bytes));
}

}  // namespace

extern const Check kMemoryHolder = {
    .name = "memory-holder",
    .question = "Do other processes hold the GPU memory that the job lacks?",
    .decision =
        "yes when less is free than needed and what other processes hold would make up for it; unknown where "
        "processes or their memory cannot be seen",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .parameters = kParameters,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask,
};

}  // namespace cutopsy
