#include <algorithm>
#include <string>

#include "validators/checks/ask_nvml.h"
#include "validators/checks/checks.h"

namespace cutopsy {

namespace {

constexpr std::string_view kMpsServer = "nvidia-cuda-mps-server";  // serves many processes as one
constexpr const char* kAdvice = "Set it back: nvidia-smi --compute-mode=DEFAULT; or run the processes under MPS.";

Answer exclusive(const Nvml& nvml, NvmlDevice device) {
  const auto processes = nvml.compute_processes(device);
  if (!processes.ok()) return unanswered(processes.status);
  const auto& holders = processes.value;
  if (holders.empty()) {
    return Answer::undecided("only one process at a time may use the GPU; none that can be seen does", kAdvice);
  }
  const bool shared =
      std::any_of(holders.begin(), holders.end(), [](const GpuProcess& process) { return process.name == kMpsServer; });
  if (shared) return Answer::no("only one process may use the GPU, and it is MPS, which serves the others");
  return Answer::yes("only one process at a time may use the GPU: " + holders.front().text(), kAdvice);
}

Answer ask(const Nvml& nvml, NvmlDevice device, const Inquiry&) {
  unsigned mode = 0;
  const NvmlStatus status = nvml.DeviceGetComputeMode(device, &mode);
  if (!status.ok()) return unanswered(status);
  Answer answer = Answer::no("any number of processes may use the GPU");
  if (mode == kNvmlComputeProhibited) answer = Answer::yes("no process may compute on the GPU", kAdvice);
  if (mode == kNvmlComputeExclusive) answer = exclusive(nvml, device);
  return std::move(answer).with("compute_mode", std::to_string(mode));
}

}  // namespace

extern const Check kComputeMode = {
    .name = "compute-mode",
    .question = "Does the GPU's compute mode keep the job out?",
    .decision =
        "yes when the mode is 'prohibited', or 'exclusive process' while another process than an MPS server "
        "has the GPU; unknown when it is exclusive and free",
    .check_class = CheckClass::transient,
    .need = Need::nvml,
    .per_gpu = true,
    .blocked_by = kNeedsWorkingGpu,
    .ask = ask_gpu<ask>,
};

}  // namespace cutopsy
